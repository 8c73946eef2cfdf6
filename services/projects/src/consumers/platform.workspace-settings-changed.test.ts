import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { eventPublisher } from '@suite/testing';
import { openProjects } from '../../test/fixture.ts';

const { serving, office } = await openProjects();
const { say } = await eventPublisher(serving);

const event = (workspace_id: string, timezone: string) => ({
  workspace_id,
  timezone,
  currency: 'EUR',
  fiscal_year_start: '01-01',
  week_start: 1,
});
const CHANGED = 'platform.workspace.settings_changed';
const timezoneOf = async (workspace_id: string) =>
  (await serving.sql`SELECT timezone FROM settings WHERE workspace_id = ${workspace_id}`)[0]!.timezone;

test('copies the time zone of the workspace from repeated events in any order', async () => {
  const { workspace: id } = await office();
  await say(id, CHANGED, event(id, 'Asia/Tokyo'), { position: 3, times: 2 });
  await say(id, CHANGED, event(id, 'Europe/Paris'), { position: 2 });
  expect(await timezoneOf(id)).toBe('Asia/Tokyo');
});

test('reschedules the daily e-mails of users without a time zone of their own', async () => {
  const place = await office();
  const id = place.workspace;
  const [own, none] = [place.hire(), place.hire()];
  await say(id, 'platform.user.created', user(own, 'America/New_York'), { position: 1 });
  await say(id, 'platform.user.created', user(none), { position: 1 });
  await serving.sql`UPDATE users SET digest_at = '2040-03-02' WHERE workspace_id = ${id}`;
  await say(id, CHANGED, event(id, 'Asia/Tokyo'), { position: 2 });
  const rows = await serving.sql`SELECT id, digest_at IS NULL AS open FROM users WHERE id IN (${own}, ${none})`;
  expect(new Map(rows.map((row) => [row.id, row.open]))).toEqual(
    new Map([
      [own, false],
      [none, true],
    ]),
  );
});

test('keeps the time zone if the event of the new workspace arrives later', async () => {
  const id = randomUUID();
  await say(id, CHANGED, event(id, 'Asia/Tokyo'), { position: 3 });
  const first = { ...event(id, 'Europe/Paris'), name: 'Initech', owner_id: randomUUID() };
  await say(id, 'platform.workspace.provisioned', first, { position: 1 });
  expect(await timezoneOf(id)).toBe('Asia/Tokyo');
});

function user(user_id: string, timezone?: string) {
  return {
    user_id,
    name: 'Grace',
    email: `${user_id}@example.test`,
    kind: 'staff',
    status: 'active',
    phone: '',
    timezone,
  };
}
