import { expect, test } from '@jest/globals';
import { start, stillClock } from '@suite/testing';
import { mailbox } from '../../../test/mailbox.ts';
import { openWorkspace, rpcOf } from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';

// Started without schedules, so that only the tests deliver.
const platform = await start({ ...contents, schedules: [] });
const letters = mailbox(platform);
const prepare = (workspace_id: string, recipients: number) =>
  rpcOf(platform).prepareEmail({ workspace_id, recipients });
const links = (token: string) => ({
  invitation: `https://app.example.com/join/${token}`,
  ticket: 'https://app.example.com/t/{id}',
});

test('a workspace has its own allowance of recipients, which refills over an hour', async () => {
  const still = stillClock('2026-03-02T09:00:00Z');
  await platform.sql`UPDATE plan_settings SET email_limit = 100`;
  const [acme, globex] = [await openWorkspace(platform), await openWorkspace(platform)];
  expect(await prepare(acme.id, 60)).toMatchObject({ retry_after_s: 0, reply_to: acme.email('owner') });
  expect(await prepare(acme.id, 40)).toMatchObject({ retry_after_s: 0 });
  expect(await prepare(acme.id, 10)).toMatchObject({ retry_after_s: 360 });
  expect(await prepare(acme.id, 0)).toMatchObject({ retry_after_s: 0 });
  expect(await prepare(globex.id, 100)).toMatchObject({ retry_after_s: 0 });
  still.goTo('2026-03-02T09:06:00Z');
  expect(await prepare(acme.id, 10)).toMatchObject({ retry_after_s: 0 });
  expect(await prepare(acme.id, 1)).toMatchObject({ retry_after_s: 36 });
  await platform.sql`UPDATE plan_settings SET email_limit = 1000`;
});

test('a password can be reset even without a remaining allowance', async () => {
  const acme = await openWorkspace(platform);
  expect(await prepare(acme.id, 1_000)).toMatchObject({ retry_after_s: 0 });
  await (await acme.as('owner')).post(`/api/user/reset-password/${acme.users.staff}`);
  expect(await letters.lettersTo(acme.email('staff'))).toHaveLength(1);
});

test('links open the pages set by an owner', async () => {
  const acme = await openWorkspace(platform);
  const owner = await acme.as('owner');
  const set = await owner.put('/api/workspace/update', {
    links: { ...links('{token}'), password_reset: 'https://app.example.com/reset#{token}' },
  });
  expect(set.status).toBe(200);
  await owner.post(`/api/user/reset-password/${acme.users.staff}`);
  const [letter] = await letters.lettersTo(acme.email('staff'));
  expect(letter).toMatch(/https:\/\/app\.example\.com\/reset#[\w-]{20,}/);
  expect(letter).toMatch(/<a href="https:\/\/app\.example\.com\/reset#/);
  expect((await prepare(acme.id, 0)).links).toMatchObject({ ticket: 'https://app.example.com/t/{id}' });
});

test('only an owner can set the pages that receive tokens', async () => {
  const acme = await openWorkspace(platform);
  const [owner, manager] = [await acme.as('owner'), await acme.as('manager')];
  expect(await manager.put('/api/workspace/update', { links: links('{token}') })).toMatchObject({
    status: 403,
    body: { code: 'owner_links', details: { links: ['invitation'] } },
  });
  expect((await owner.put('/api/workspace/update', { links: links('{token}') })).status).toBe(200);
  const { invitation } = links('{token}');
  const changed = { invitation, ticket: 'https://other.example.com/{id}' };
  expect((await manager.put('/api/workspace/update', { links: changed })).status).toBe(200);
});

test.each([
  ['http', 'http://app.example.com/{token}'],
  ['no placeholder', 'https://app.example.com/join'],
  ['another placeholder', 'https://app.example.com/{id}'],
  ['two placeholders', 'https://app.example.com/{token}/{token}'],
  ['a placeholder in the host', 'https://{token}.example.com/'],
  ['a placeholder directly after the host', 'https://app.example.com{token}'],
  ['credentials', 'https://user:password@app.example.com/{token}'],
  ['a script', 'javascript:alert({token})'],
  ['an open brace', 'https://app.example.com/{token}{'],
  ['no address', '{token}'],
])('a link with %s is rejected', async (_, invitation) => {
  const acme = await openWorkspace(platform);
  const reply = await (await acme.as('owner')).put('/api/workspace/update', { links: { invitation } });
  expect(reply).toMatchObject({ status: 422, body: { errors: { 'links.invitation': [expect.any(String)] } } });
});
