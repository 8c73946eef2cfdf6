import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { callerOnBehalfOf } from '@suite/chassis/identity';
import { connectRpc } from '@suite/chassis/testing';
import { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { keysOf, start, runConcurrently } from '@suite/testing';
import { smsGateway } from '../../../test/sms-gateway.ts';
import { contentsOf } from '../../../test/contents.ts';
import { openWorkspace } from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';

const platform = await start({ ...contents, schedules: [] });
const { state, connect, show, messages, deliver, sent } = await smsGateway(platform);

/** Sends a request as a service without a user. */
const remind = (
  user_id = state.acme.users.staff,
  { key = `key ${randomUUID()}`, text = 'Call Ada', workspace = state.acme.id } = {},
) => {
  const services = { platform: { definition: PlatformServiceDefinition, address: `127.0.0.1:${platform.grpc_port}` } };
  const rpc = connectRpc(services, keysOf('crm')).as(callerOnBehalfOf(user_id, workspace), randomUUID()).platform;
  return rpc.sendSms({ idempotency_key: key, user_id, text });
};
const give = (phone: string | null, user_id = state.acme.users.staff) =>
  platform.sql`UPDATE users SET phone = ${phone} WHERE id = ${user_id}`;
const no = (reason: string) => ({ queued: false, reason });

describe('a reminder', () => {
  test('is sent to the profile number if the workspace enables it', async () => {
    await give('+49 170 123-4567');
    expect(await remind()).toEqual(no('no_gateway'));
    await connect();
    expect((await show()).settings.reminders).toBe(false);
    expect(await remind()).toEqual(no('not_wanted'));
    expect((await connect({ reminders: true })).body.data.settings.reminders).toBe(true);
    expect(await remind()).toEqual({ queued: true, reason: '' });
    await deliver();
    expect(sent()).toMatchObject([{ to: '+491701234567', text: 'Call Ada' }]);
    expect(await messages()).toMatchObject([{ purpose: 'reminder', status: 'sent' }]);
    await connect({ sender: 'Other' });
    expect((await show()).settings.reminders).toBe(true);
  });

  test('is not sent to a user who was disabled while it was queued', async () => {
    await give('+491701234567');
    await connect({ reminders: true });
    expect(await remind()).toEqual({ queued: true, reason: '' });
    await platform.sql`UPDATE users SET status = 'disabled' WHERE id = ${state.acme.users.staff}`;
    const before = sent().length;
    await deliver();
    expect(sent()).toHaveLength(before);
    expect(await messages()).toMatchObject([{ status: 'failed', failure_code: 'recipient_disabled' }]);
  });

  test("uses the workspace's country for local numbers, and rejects invalid numbers", async () => {
    await connect({ reminders: true });
    await platform.sql`UPDATE workspaces SET country = 'DE' WHERE id = ${state.acme.id}`;
    await give('0170 1234567');
    expect((await remind()).queued).toBe(true);
    expect(await messages()).toMatchObject([{ to: '+491701234567' }]);
    for (const phone of [null, '0000', '(((())))'])
      expect([phone, await give(phone).then(() => remind())]).toEqual([phone, no('no_number')]);
  });

  test('goes to owners and staff who may sign in', async () => {
    await connect({ reminders: true });
    const { staff, client } = state.acme.users;
    for (const id of [staff, client]) await give('+491701234567', id);
    expect(await remind(client)).toEqual(no('no_number'));
    await platform.sql`UPDATE users SET status = 'disabled' WHERE id = ${staff}`;
    expect(await remind(staff)).toEqual(no('no_number'));
    const globex = await openWorkspace(platform);
    await give('+491701234567', globex.users.staff);
    expect(await remind(globex.users.staff)).toEqual(no('no_number'));
    expect(await remind(globex.users.staff, { workspace: globex.id })).toEqual(no('no_gateway'));
    expect(await messages()).toEqual([]);
  });

  test('respects countries and the daily limit, and is sent once for each key', async () => {
    await connect({ reminders: true, allowed_countries: ['AT'] });
    await give('+491701234567');
    expect(await remind()).toEqual(no('country_not_allowed'));
    await connect({ allowed_countries: [], daily_limit: 3 });
    const answers = await runConcurrently(10, () => remind(undefined, { key: 'the same' }));
    expect(answers.filter(({ queued }) => queued)).toHaveLength(10);
    expect(await messages()).toHaveLength(1);
    const more = await runConcurrently(10, () => remind());
    expect(more.filter(({ queued }) => queued)).toHaveLength(2);
    expect(more.find(({ queued }) => !queued)).toEqual(no('daily_limit'));
  });

  test('is erased and no longer sent when its recipient is deleted', async () => {
    await connect({ reminders: true });
    await give('+49 170 555-0199');
    await remind(undefined, { text: 'Remember Zacharias' });
    await deliver();
    await state.owner.post('/api/smsgateway/send', { to: '+491705550199', text: 'Welcome, Zacharias' });
    await state.owner.post('/api/smsgateway/send', { to: '+491701234568', text: 'For others' });
    await remind(undefined, { text: 'Call Zacharias' });
    await state.owner.delete(`/api/user/delete/${state.acme.users.staff}`);
    expect((await messages()).map((row: Record<string, unknown>) => [row['to'], row['text'], row['status']])).toEqual([
      [null, null, 'failed'],
      ['+491701234568', 'For others', 'queued'],
      [null, null, 'failed'],
      [null, null, 'sent'],
    ]);
    await deliver();
    expect(sent()).toMatchObject([{ text: 'Remember Zacharias' }, { text: 'For others' }]);
    const left = await contentsOf(platform, { without_events: true });
    for (const trace of ['491705550199', '555-0199', 'Zacharias']) expect(left).not.toContain(trace);
  });
});
