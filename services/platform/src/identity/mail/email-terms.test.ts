import { expect, test } from '@jest/globals';
import { start, freezeClock } from '@suite/testing';
import { mailbox } from '../../../test/mailbox.ts';
import { openWorkspace, rpcOf } from '../../../test/workspace.ts';
import type { Database } from '@suite/chassis/database';
import { withoutCaller, type Db } from '../../operations.ts';
import { platform as contents } from '../../platform.ts';
import { type MailName, queueMail } from './mail-templates.ts';

// Started without schedules, so that only the tests deliver.
const platform = await start({ ...contents, schedules: [] });
const mails = mailbox(platform);
const prepare = (workspace_id: string, recipients: number) =>
  rpcOf(platform).prepareEmail({ workspace_id, recipients });
const links = (token: string) => ({
  invitation: `https://app.example.com/join/${token}`,
  ticket: 'https://app.example.com/t/{id}',
});

test('a workspace has its own allowance of recipients, which refills over an hour', async () => {
  const still = freezeClock('2026-03-02T09:00:00Z');
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
  expect(await mails.emailsTo(acme.email('staff'))).toHaveLength(1);
});

/** Every kind of e-mail: true if it counts against the allowance, by the address that receives it. */
const COUNTS: Readonly<Record<MailName, { verified: boolean; typed: boolean }>> = {
  invitation: { verified: false, typed: true },
  reset_password: { verified: false, typed: true },
  verify_email: { verified: false, typed: true },
  verify_requested_email: { verified: false, typed: true },
  approve_email: { verified: false, typed: true },
  approve_owners_email: { verified: false, typed: true },
  email_changed: { verified: false, typed: false },
  password_changed: { verified: false, typed: true },
  new_device: { verified: false, typed: true },
  second_factor_on: { verified: false, typed: true },
  second_factor_off: { verified: false, typed: true },
  new_api_key: { verified: false, typed: true },
  trial_ending_soon: { verified: false, typed: true },
  payment_failed: { verified: false, typed: true },
  payment_action_needed: { verified: false, typed: true },
  trial_ends: { verified: false, typed: true },
};
const EVERY_KIND = Object.entries(COUNTS) as [MailName, { verified: boolean; typed: boolean }][];

test.each(EVERY_KIND)('%s waits for the allowance only if it counts: %j', async (kind, { verified, typed }) => {
  const acme = await openWorkspace(platform);
  const addresses = { verified: acme.email('owner'), typed: `typed-${acme.email('owner')}` };
  await (platform.tools.database as unknown as Database<Db>).write(withoutCaller('test', acme.id), async (db) => {
    // The e-mail to the typed address is the first in the queue.
    for (const email of [addresses.typed, addresses.verified]) await queueMail(db, kind, acme.users.owner, email);
  });
  expect(await prepare(acme.id, 1_000)).toMatchObject({ retry_after_s: 0 });
  await mails.emailsTo(addresses.typed);
  const waiting = await platform.sql`
    SELECT email FROM outgoing_mail WHERE workspace_id = ${acme.id} AND letter = ${kind} AND status = 'queued'`;
  const counted = Object.entries({ verified, typed }).flatMap(([name, counts]) => (counts ? [name] : []));
  expect(waiting.map(({ email }) => email)).toEqual(counted.map((name) => addresses[name as keyof typeof addresses]));
});

test('links open the pages set by an owner', async () => {
  const acme = await openWorkspace(platform);
  const owner = await acme.as('owner');
  const set = await owner.put('/api/workspace/update', {
    links: { ...links('{token}'), password_reset: 'https://app.example.com/reset#{token}' },
  });
  expect(set.status).toBe(200);
  await owner.post(`/api/user/reset-password/${acme.users.staff}`);
  const [email_text] = await mails.emailsTo(acme.email('staff'));
  expect(email_text).toMatch(/https:\/\/app\.example\.com\/reset#[\w-]{20,}/);
  expect(email_text).toMatch(/<a href="https:\/\/app\.example\.com\/reset#/);
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
