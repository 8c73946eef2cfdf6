import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpCaller, Reply } from '@suite/testing';
import { findAllViolations } from '@suite/tools/audit';
import { waitFor } from '@suite/testing/waiting';
import { bearer, withIdempotencyKey, signIn } from '@suite/testing/suite/http-caller';
import { UNLIMITED } from '@suite/testing/starting/limits';
import { startSuiteForFile } from '@suite/testing/suite/started';
import { openWorkspace, runWorkspaceCommand, type Workspace } from '@suite/testing/suite/workspace';

const PUBLIC_WRITES = 40;
const suite = await startSuiteForFile({
  environment: { RATE_LIMITS: JSON.stringify({ ...UNLIMITED, public: PUBLIC_WRITES }) },
});
let acme: Workspace;
beforeAll(async () => {
  acme = await openWorkspace(suite);
}, 240_000);

/**
 * Repeats a request for a second and a half. Returns the time of the last response other than the expected error, in
 * milliseconds after the start. Returns 0 if there was none.
 */
async function lastAdmitted(ask: () => Promise<Reply>, refusal: number): Promise<number> {
  const began = performance.now();
  let last_ms = 0;
  while (performance.now() - began < 1_500) {
    const asked_ms = performance.now() - began;
    const { status } = await ask();
    if (status !== refusal) last_ms = Math.max(asked_ms, 1);
    await pause(10);
  }
  expect((await ask()).status).toBe(refusal);
  return last_ms;
}

const whoami = (person: HttpCaller) => () => person.get('/api/user');

async function newKey(person: HttpCaller, wish: object = {}): Promise<{ id: string; token: string }> {
  const { status, body } = await person.post('/api/v1/settings/api-keys', { name: 'Till', ...wish });
  expect(status).toBe(201);
  return body.data;
}

describe('an API key', () => {
  test('works as its owner, and stops within a second of being revoked', async () => {
    const kim = await acme.hire('manager');
    const { id, token } = await newKey(kim);
    const till = bearer(suite.gateway, token);
    expect((await till.get('/api/user')).body.data).toMatchObject({ id: kim.user.id, email: kim.email });
    expect((await till.get('/api/pipelines')).status).toBe(200);

    expect((await acme.owner.delete(`/api/v1/settings/api-keys/${id}`)).status).toBe(200);
    expect(await lastAdmitted(whoami(till), 401)).toBeLessThan(1_000);
    expect((await kim.get('/api/user')).status).toBe(200);
  });

  test('allows only its scopes, and stores no usable secret', async () => {
    const { token } = await newKey(acme.owner, { scopes: ['label.view'] });
    const till = bearer(suite.gateway, token);
    expect((await till.get('/api/pipelines')).body).toMatchObject({ code: 'forbidden' });
    const rows = await suite.sql('platform', 'SELECT k::text AS row FROM api_keys k');
    expect(rows.filter(({ row }) => row.includes(token.slice(8)))).toEqual([]);
  });

  test('stops working when its user is disabled', async () => {
    const kim = await acme.hire('manager');
    const till = bearer(suite.gateway, (await newKey(kim)).token);
    expect((await till.get('/api/user')).status).toBe(200);
    expect((await acme.owner.post(`/api/user/update/${kim.user.id}`, { status: 'disabled' })).status).toBe(200);
    expect(await lastAdmitted(whoami(till), 401)).toBeLessThan(1_000);
  });
});

describe('a signed-in user', () => {
  test('is signed out immediately, while their other session continues', async () => {
    const kim = await acme.hire('sales');
    const elsewhere = await signIn(suite.gateway, kim.email, kim.password);
    expect((await kim.get('/api/leads')).status).toBe(200);
    expect((await kim.post('/api/logout')).status).toBe(200);
    const refused = await kim.get('/api/leads');
    expect(refused).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect((await elsewhere.get('/api/leads')).status).toBe(200);
    const { refresh_token } = kim;
    expect((await bearer(suite.gateway).post('/api/refresh', { refresh_token })).status).toBe(401);
  });

  test('loses access within a second of being disabled, and cannot sign in again', async () => {
    const kim = await acme.hire('sales');
    expect((await kim.get('/api/leads')).status).toBe(200);
    expect((await acme.owner.post(`/api/user/update/${kim.user.id}`, { status: 'disabled' })).status).toBe(200);
    expect(await lastAdmitted(() => kim.get('/api/leads'), 401)).toBeLessThan(1_000);
    const { email, password } = kim;
    expect(await bearer(suite.gateway).post('/api/login', { email, password })).toMatchObject({
      status: 403,
      body: { code: 'account_disabled' },
    });
  });

  test('has the permissions of a new role within a second', async () => {
    const kim = await acme.hire('sales');
    expect((await kim.get('/api/leads')).status).toBe(200);
    const role_id = acme.roles['hr'];
    expect((await acme.owner.post(`/api/user/update/${kim.user.id}`, { role_id })).status).toBe(200);
    expect(await lastAdmitted(() => kim.get('/api/leads'), 403)).toBeLessThan(1_000);
    expect((await kim.get('/api/user')).body.data).toMatchObject({ role: { key: 'hr' } });
  });
});

describe('a workspace', () => {
  test('has the modules of another plan within a second of moving to it', async () => {
    const { id, owner } = await openWorkspace(suite);
    const modules = async (): Promise<string[]> => (await owner.get('/api/user')).body.data.modules;
    expect(await modules()).toContain('hrm');
    await runWorkspaceCommand(suite, 'plan', '--id', id, '--plan', 'starter');
    await waitFor(async () => expect(await modules()).toEqual(['crm', 'products']), 1_000);
  });

  test('rejects all users within a second of its suspension', async () => {
    const { id, owner } = await openWorkspace(suite);
    expect((await owner.get('/api/user')).status).toBe(200);
    await runWorkspaceCommand(suite, 'suspend', '--id', id);
    expect(await lastAdmitted(whoami(owner), 401)).toBeLessThan(1_000);
    expect((await acme.owner.get('/api/user')).status).toBe(200);
  });
});

describe('every answer', () => {
  const LIMITED = /^"\w+"; *r=\d+; *t=\d+$/;
  const limits = ({ headers }: Reply) => String(headers.get('ratelimit')).split(', ');

  test('contains the remaining limits and the request ID', async () => {
    const stranger = bearer(suite.gateway);
    const answers = [
      await acme.owner.get('/api/leads'),
      await acme.owner.post('/api/pipeline/create', { name: randomUUID() }),
      await acme.owner.get('/api/leads?nonsense=1'),
      await acme.owner.get('/api/lead/show/01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10'),
      await acme.owner.get('/api/nowhere'),
      await acme.owner.put('/api/leads', {}),
      await stranger.get('/api/leads'),
      await stranger.post('/api/login', { email: 'nobody@example.test', password: 'a wrong one' }),
      await stranger.get('/openapi.json'),
      await stranger.get('/docs'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 422, 404, 404, 405, 401, 401, 200, 200]);
    for (const answer of answers) {
      for (const limit of limits(answer)) expect(limit).toMatch(LIMITED);
      expect(answer.headers.get('ratelimit-policy')).toMatch(/; *q=\d+; *w=60/);
      expect(answer.headers.get('x-request-id')).toMatch(/^[\w.:-]{8,128}$/);
    }
    for (const { body, headers } of answers.filter(({ status }) => status >= 400)) {
      expect(body.request_id).toBe(headers.get('x-request-id'));
    }
  });

  test('is 429 with the seconds to wait after a limit, without effect on others', async () => {
    const stranger = bearer(suite.gateway);
    let refused: Reply | undefined;
    for (let tries = 0; tries <= PUBLIC_WRITES && refused?.status !== 429; tries += 1) {
      refused = await stranger.post('/api/forgot-password', { email: `nobody-${tries}@example.test` });
    }
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    const wait_s = Number(refused?.headers.get('retry-after'));
    expect(Number.isInteger(wait_s) && wait_s >= 1 && wait_s <= 60).toBe(true);
    expect((await acme.owner.get('/api/user')).status).toBe(200);
  });
});

describe('a repeated write', () => {
  test('has one effect and the same response with its key', async () => {
    const lead = { name: `Ada ${randomUUID()}` };
    const key = withIdempotencyKey();
    const first = await acme.owner.post('/api/lead/create', lead, key);
    const second = await acme.owner.post('/api/lead/create', lead, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await suite.sql('crm', 'SELECT id FROM leads WHERE name = $1', [lead.name])).toHaveLength(1);
  });

  test('is rejected with its key and another body', async () => {
    const key = withIdempotencyKey();
    await acme.owner.post('/api/lead/create', { name: 'Ada' }, key);
    const other = await acme.owner.post('/api/lead/create', { name: 'Grace' }, key);
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  test('is rejected over a change that its sender has not seen', async () => {
    const { id } = (await acme.owner.post('/api/lead/create', { name: 'Ada' })).body.data;
    const etag = String((await acme.owner.get(`/api/lead/show/${id}`)).headers.get('etag'));
    const change = (notes: string) =>
      acme.owner.post(`/api/lead/update/${id}`, { notes }, { headers: { 'if-match': etag } });
    const first = await change('Likes tea');
    expect(first.status).toBe(200);
    expect(first.headers.get('etag')).not.toBe(etag);
    expect(await change('Likes coffee')).toMatchObject({ status: 412, body: { code: 'stale' } });
    expect((await acme.owner.get(`/api/lead/show/${id}`)).body.data.notes).toBe('Likes tea');
  });
});

test('the auditor finds nothing wrong afterwards', async () => {
  expect(await findAllViolations(suite)).toEqual([]);
}, 240_000);
