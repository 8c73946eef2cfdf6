import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { eventPublisher } from '@suite/testing';
import { openHr } from '../../test/fixture.ts';

const { company, serving } = await openHr();
const { say } = await eventPublisher(serving);

const event = (workspace_id: string, timezone: string, currency: string) => ({
  workspace_id,
  timezone,
  currency,
  fiscal_year_start: '01-01',
  week_start: 1,
});
const CHANGED = 'platform.workspace.settings_changed';
const copiedSettings = async (workspace_id: string) =>
  (await serving.sql`SELECT timezone, currency FROM settings WHERE workspace_id = ${workspace_id}`)[0];

test('copies time zone and currency of the workspace from repeated events in any order', async () => {
  const { owner } = await company();
  const id = owner.caller.workspace_id;
  await say(id, CHANGED, event(id, 'Asia/Tokyo', 'JPY'), { position: 3, times: 2 });
  await say(id, CHANGED, event(id, 'Europe/Paris', 'EUR'), { position: 2 });
  expect(await copiedSettings(id)).toEqual({ timezone: 'Asia/Tokyo', currency: 'JPY' });
  expect((await owner.get('/api/hrm-settings')).body.data).toMatchObject({ timezone: 'Asia/Tokyo' });
  // Shifts have a time zone of their own.
  const [shift] = await serving.sql`SELECT timezone FROM shifts WHERE workspace_id = ${id}`;
  expect(shift).toEqual({ timezone: 'Europe/Berlin' });
});

test('stores no currency of a caller who does not know the change yet', async () => {
  const { owner } = await company();
  const id = owner.caller.workspace_id;
  await say(id, CHANGED, event(id, 'Asia/Tokyo', 'JPY'), { position: 2 });
  expect(owner.caller.currency).toBe('EUR');
  await owner.post('/api/hrm-settings/update', { ack_days: 7 });
  expect(await copiedSettings(id)).toMatchObject({ currency: 'JPY' });
});

test('keeps the settings if the event of the new workspace arrives later', async () => {
  const id = randomUUID();
  await say(id, CHANGED, event(id, 'Asia/Tokyo', 'JPY'), { position: 3 });
  const first = { ...event(id, 'Europe/Paris', 'EUR'), name: 'Initech', owner_id: randomUUID() };
  await say(id, 'platform.workspace.provisioned', first, { position: 1 });
  expect(await copiedSettings(id)).toEqual({ timezone: 'Asia/Tokyo', currency: 'JPY' });
});
