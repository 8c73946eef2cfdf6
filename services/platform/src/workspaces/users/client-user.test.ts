import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventPublisher, eventTypesOf, start, runConcurrently } from '@suite/testing';
import { openWorkspace, PASSWORD, rpcOf, type TestWorkspace } from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';
import { removeUnconfirmedClients } from './client-user.ts';

// Runs without schedules, so that tests decide when users are removed.
const platform = await start({ ...contents, schedules: [] });
const second = await start({ ...contents, schedules: [] }, { replicaOf: platform });
const { say, announce, deadLetterReason } = await eventPublisher(platform);
let acme: TestWorkspace;
let globex: TestWorkspace;
beforeAll(async () => {
  [acme, globex] = [await openWorkspace(platform), await openWorkspace(platform)];
});

const clientInput = (input: object = {}) => ({
  idempotency_key: randomUUID(),
  name: 'Clara Client',
  email: `clara.${randomUUID()}@example.test`,
  phone: '',
  password: '',
  ...input,
});
type ClientInput = ReturnType<typeof clientInput>;
const sales = async (replica = platform) => rpcOf(replica, (await acme.as('sales')).caller);
const ensure = async (input: ClientInput) => (await sales()).ensureClientUser(input);
/** Returns the event that crm emits after the conversion has succeeded. */
const converted = (user_id: string, { password: _, ...client }: ClientInput) => ({
  lead_id: randomUUID(),
  deal_id: randomUUID(),
  client_ids: [user_id],
  new_client: { ...client, email: client.email.toLowerCase(), user_id },
});
const confirm = (user_id: string, input: ClientInput, options = {}) =>
  say(acme.id, 'crm.lead.converted', converted(user_id, input), options);
const createClient = async (input: ClientInput) => {
  const { user } = await ensure(input);
  await confirm(user!.user_id, input);
  return user!.user_id;
};
const emailsTo = (id: string) => platform.sql`SELECT letter FROM outgoing_mail WHERE user_id = ${id}`;
const eventsOf = (id: string) => eventTypesOf(platform, id);
const count = async (email: string) => (await platform.sql`SELECT FROM users WHERE email = ${email}`).length;

describe('a client user requested by another service', () => {
  test('is hidden until the command that needs the user has succeeded', async () => {
    const input = clientInput({ password: PASSWORD });
    const { user, created } = await ensure(input);
    const id = user!.user_id;
    expect([created, user]).toMatchObject([true, { name: input.name, kind: 'client', status: 'invited' }]);
    expect([await emailsTo(id), await eventsOf(id)]).toEqual([[], []]);
    const owner = await acme.as('owner');
    const listed = await owner.get(`/api/client-user?q=${encodeURIComponent(input.email)}`);
    expect(listed.body.data).toEqual([]);
    expect(await (await sales()).batchGetUsers({ user_ids: [id] })).toEqual({ users: [] });
    const login = { email: input.email, password: PASSWORD };
    expect(await platform.anonymous.post('/api/login', login)).toMatchObject({ status: 401 });
    await platform.anonymous.post('/api/forgot-password', { email: input.email });
    expect(await emailsTo(id)).toEqual([]);
    await confirm(id, input);
    expect(await emailsTo(id)).toEqual([{ letter: 'invitation' }]);
    expect(await platform.anonymous.post('/api/login', login)).toMatchObject({
      status: 403,
      body: { code: 'email_unverified' },
    });
    expect(await (await sales()).batchGetUsers({ user_ids: [id] })).toMatchObject({ users: [{ user_id: id }] });
  });

  test('is invited if a project invites them', async () => {
    const input = clientInput();
    const { user_id } = (await ensure(input)).user!;
    const { client_ids, new_client } = converted(user_id, input);
    await say(acme.id, 'projects.project.clients_invited', { project_id: randomUUID(), client_ids, new_client });
    expect(await emailsTo(user_id)).toEqual([{ letter: 'invitation' }]);
  });

  test('is invited and announced once after the command has succeeded', async () => {
    const input = clientInput({ email: `Dora.${randomUUID()}@Example.test`, phone: '+49 30 1234' });
    const { user } = await ensure(input);
    expect(user).toMatchObject({ email: input.email.toLowerCase(), status: 'invited', phone: '+49 30 1234' });
    const id = user!.user_id;
    await confirm(id, input, { times: 2 });
    await confirm(id, input);
    expect(await emailsTo(id)).toEqual([{ letter: 'invitation' }]);
    expect(await eventsOf(id)).toEqual(['platform.user.created']);
  });

  test('is created once for a key, with concurrent requests on several replicas', async () => {
    const input = clientInput();
    const replicas = [await sales(), await sales(second)] as const;
    const payload = await runConcurrently(50, (at) => replicas[at % 2 ? 1 : 0].ensureClientUser(input));
    expect(new Set(payload.map(({ user }) => user!.user_id)).size).toBe(1);
    expect(payload.every(({ created }) => created)).toBe(true);
    expect(await count(input.email)).toBe(1);
  });

  test('is created once for an address, as requested by the command that succeeded', async () => {
    const { email } = clientInput();
    const wishes = Array.from({ length: 20 }, (_, at) => clientInput({ email, name: `Clara ${at}` }));
    const payload = await runConcurrently(20, (at) => ensure(wishes[at]!));
    const ids = new Set(payload.map(({ user }) => user!.user_id));
    expect(ids.size).toBe(1);
    const [id] = ids;
    expect(payload.map(({ user }) => user!.name)).toEqual(wishes.map(({ name }) => name));
    await confirm(id!, wishes[7]!);
    expect(await platform.sql`SELECT name, status FROM users WHERE id = ${id!}`).toEqual([
      { name: 'Clara 7', status: 'invited' },
    ]);
  });

  test.each([
    ['another address', { email: 'other@example.test' }],
    ['another name', { name: 'Berta' }],
    ['another number', { phone: '+49 30 1' }],
    ['another password', { password: 'another password of hers' }],
    ['no password', { password: '' }],
  ])('is not returned for a reused key with %s', async (_, other) => {
    const input = clientInput({ password: PASSWORD });
    const payload = await ensure(input);
    await expect(ensure({ ...input, ...other })).rejects.toMatchObject({ status: 409, code: 'key_reused' });
    expect(await ensure(input)).toEqual(payload);
  });

  test('is an existing client with the address, without a confirmation', async () => {
    const payload = await ensure(clientInput({ email: acme.email('client') }));
    expect(payload).toMatchObject({ created: false, user: { user_id: acme.users.client } });
    const input = clientInput();
    const user_id = await createClient(input);
    expect(await ensure(clientInput({ email: input.email }))).toMatchObject({ created: false, user: { user_id } });
  });

  test('cannot have the address of a staff user, and its key can be reused', async () => {
    const input = clientInput({ email: acme.email('hr') });
    const refused = { status: 422, errors: { email: [expect.any(String)] } };
    await expect(ensure(input)).rejects.toMatchObject(refused);
    expect(await ensure({ ...input, email: clientInput().email })).toMatchObject({ created: true });
  });

  test('is a different user if the address belongs to a user of another workspace', async () => {
    const payload = await ensure(clientInput({ email: globex.email('client') }));
    expect(payload).toMatchObject({ created: true });
    expect(payload.user!.user_id).not.toBe(globex.users.client);
  });

  test.each([
    ['no key', { idempotency_key: '' }],
    ['no name', { name: ' ' }],
    ['no address', { email: 'clara' }],
    ['a bad password', { password: 'short' }],
    ['an invalid phone number', { phone: 'x' }],
  ])('is rejected with %s', async (_, input) => {
    await expect(ensure(clientInput(input))).rejects.toMatchObject({ status: 422, code: 'validation_failed' });
  });
});

describe('an unconfirmed client user', () => {
  const age = (id: string) =>
    platform.sql`WITH old AS (UPDATE client_requests SET created_at = now() - interval '2 hours' WHERE user_id = ${id})
      UPDATE users SET created_at = now() - interval '2 hours' WHERE id = ${id}`;

  test('is deleted with all personal data, and the address becomes available', async () => {
    const [input, young] = [clientInput(), clientInput()];
    const id = (await ensure(input)).user!.user_id;
    await ensure(young);
    await age(id);
    await removeUnconfirmedClients(platform as never);
    expect([await count(input.email), await count(young.email)]).toEqual([0, 1]);
    const log = await platform.sql`SELECT before, after FROM journal_changes WHERE record_id = ${id}`;
    expect(JSON.stringify(log)).not.toContain(input.email);
    expect((await ensure(clientInput({ email: input.email }))).user!.user_id).not.toBe(id);
    expect((await ensure(input)).user!.user_id).not.toBe(id);
  });

  test('stays after another request, and after a confirmation', async () => {
    const [requested, confirmed] = [clientInput(), clientInput()];
    const id = (await ensure(requested)).user!.user_id;
    const other = await createClient(confirmed);
    await Promise.all([age(id), age(other)]);
    await ensure(clientInput({ email: requested.email }));
    await removeUnconfirmedClients(platform as never);
    expect([await count(requested.email), await count(confirmed.email)]).toEqual([1, 1]);
  });

  test('is created again with the same ID when the event of the command arrives late', async () => {
    const input = clientInput();
    const id = (await ensure(input)).user!.user_id;
    await age(id);
    await removeUnconfirmedClients(platform as never);
    await confirm(id, input);
    expect(await emailsTo(id)).toEqual([{ letter: 'invitation' }]);
    expect(await platform.sql`SELECT status FROM users WHERE id = ${id}`).toEqual([{ status: 'invited' }]);
  });

  test('causes a dead letter when another user has taken the address since', async () => {
    const input = clientInput({ email: acme.email('hr') });
    const event = await announce(acme.id, 'crm.lead.converted', converted(randomUUID(), input));
    expect(await deadLetterReason(event)).toContain('belongs to another account');
  }, 240_000);
});
