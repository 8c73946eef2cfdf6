/** Batches through the whole suite: references, permissions, workspaces and keys. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpCaller, Reply } from '@suite/testing/http';
import { bearer, type SignedIn, withIdempotencyKey } from '@suite/testing/suite/http-caller';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace, type Workspace } from '@suite/testing/suite/workspace';

const suite = await useSharedSuite();
let acme: Workspace;
let owner: SignedIn;
beforeAll(async () => {
  acme = await openWorkspace(suite);
  ({ owner } = acme);
}, 240_000);

type Outcome = { id: string; status: number; headers: Record<string, string>; body: ReturnType<typeof JSON.parse> };

/** Runs a batch that is accepted. @returns its outcomes */
async function run(person: HttpCaller, calls: object[], options: { key?: string; stop_on_error?: boolean } = {}) {
  const { key = randomUUID(), ...more } = options;
  const reply = await person.post('/api/batch', { calls, ...more }, withIdempotencyKey(key));
  expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({ data: expect.any(Array) })]);
  return reply.body.data as Outcome[];
}

const post = (path: string, body: object, id?: string) => ({ ...(id && { id }), method: 'POST', path, body });
const show = (id: string) => ({ method: 'GET', path: `/api/lead/show/${id}` });
const createLead = (name: string, id?: string) => post('/api/lead/create', { name }, id);
const statuses = (outcomes: Outcome[]) => outcomes.map(({ status }) => status);
const leadsNamed = (name: string): Promise<Reply> => owner.get(`/api/leads?name=${encodeURIComponent(name)}`);

describe('a batch', () => {
  test('creates a lead, a note and a deal that refer to each other', async () => {
    const outcomes = await run(owner, [
      post('/api/lead/create', { name: 'Ada', company: 'Engines', expected_value: '1200.00' }, 'lead'),
      post('/api/lead-discussion/store/{{lead.data.id}}', { comment: 'Met at {{lead.data.company}}.' }),
      post('/api/deal/create', { name: '{{lead.data.company}} fleet', price: '{{lead.data.expected_value}}' }, 'deal'),
      { method: 'GET', path: '/api/deal/show/{{deal.data.id}}' },
    ]);
    expect(statuses(outcomes)).toEqual([201, 201, 201, 200]);
    expect(outcomes[0]!.headers).toMatchObject({
      etag: expect.any(String),
      'x-request-id': expect.stringMatching(/-1$/),
    });
    expect(outcomes[1]!.body.data).toMatchObject({ comment: 'Met at Engines.' });
    expect(outcomes[3]!.body.data).toMatchObject({ name: 'Engines fleet', price: '1200.00' });
  });

  test('has the permissions and the record scopes of its caller', async () => {
    const lead = (await owner.post('/api/lead/create', { name: 'Hidden' })).body.data;
    const role = { name: 'Batch', permissions: ['lead.view', 'lead.create'], record_scopes: { lead: 'own' } };
    acme.roles['batch'] = (await owner.post('/api/roles/create', role)).body.data.id;
    const seller = await acme.hire('batch');
    const outcomes = await run(seller, [
      show(lead.id),
      createLead('Own', 'own'),
      { method: 'GET', path: '/api/lead/show/{{own.data.id}}' },
      post('/api/lead/update/{{own.data.id}}', { name: 'Changed' }),
    ]);
    expect(statuses(outcomes)).toEqual([404, 201, 200, 403]);
    expect(outcomes[3]!.body).toMatchObject({ code: 'forbidden' });
  });

  test('has only the scopes of its API key', async () => {
    const key = { name: 'Reader', scopes: ['lead.view'] };
    const { token } = (await owner.post('/api/v1/settings/api-keys', key)).body.data;
    const lead = (await owner.post('/api/lead/create', { name: 'Readable' })).body.data;
    const outcomes = await run(bearer(suite.gateway, token), [
      show(lead.id),
      createLead('Unwanted'),
      { method: 'GET', path: '/api/user' },
    ]);
    expect(statuses(outcomes)).toEqual([200, 403, 403]);
    expect((await leadsNamed('Unwanted')).body.meta.total).toBe(0);
  });

  test('returns 404 for the records of another workspace', async () => {
    const lead = (await owner.post('/api/lead/create', { name: 'Ours' })).body.data;
    const other = await openWorkspace(suite, 'Globex');
    const note = post(`/api/lead-discussion/store/${lead.id}`, { comment: 'Theirs' });
    const outcomes = await run(other.owner, [show(lead.id), note]);
    expect(statuses(outcomes)).toEqual([404, 404]);
    expect(JSON.stringify(outcomes)).not.toContain('Ours');
  }, 240_000);

  test('stops at the first error if it should', async () => {
    const name = `Stopped ${randomUUID()}`;
    const outcomes = await run(owner, [createLead(name), show(randomUUID()), createLead(name)], {
      stop_on_error: true,
    });
    expect(statuses(outcomes)).toEqual([201, 404, 424]);
    expect((await leadsNamed(name)).body.meta.total).toBe(1);
  });
});

describe('a repeated batch', () => {
  test('replays completed writes, and makes the others', async () => {
    const [key, name] = [randomUUID(), `Repeated ${randomUUID()}`];
    const calls = [
      createLead(name, 'lead'),
      post('/api/lead-discussion/store/{{lead.data.id}}', { comment: 'Once' }),
      createLead(name),
    ];
    const [first] = await run(owner, calls.slice(0, 1), { key });
    const again = await run(owner, calls, { key });
    const third = await run(owner, calls, { key });
    const replayed = (outcomes: Outcome[]) => outcomes.map(({ headers }) => headers['idempotent-replayed']);
    expect(replayed(again)).toEqual(['true', undefined, undefined]);
    expect(replayed(third)).toEqual(['true', 'true', 'true']);
    expect(again[0]!.body.data.id).toBe(first!.body.data.id);
    expect(third.map(({ body }) => body)).toEqual(again.map(({ body }) => body));
    expect((await leadsNamed(name)).body.meta.total).toBe(2);
  });

  test('rejects a changed call as idempotency_key_reused, and replays the others', async () => {
    const [key, name] = [randomUUID(), `Changed ${randomUUID()}`];
    const calls = [createLead(name, 'a'), createLead(name, 'b')];
    await run(owner, calls, { key });
    const outcomes = await run(owner, [calls[1]!, createLead(`${name} again`, 'a')], { key });
    expect(outcomes.map(({ status, body }) => [status, body.code])).toEqual([
      [201, undefined],
      [422, 'idempotency_key_reused'],
    ]);
    expect((await leadsNamed(name)).body.meta.total).toBe(2);
  });
});
