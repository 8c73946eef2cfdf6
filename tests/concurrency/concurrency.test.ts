import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { emailsTo } from '@suite/testing/suite/mailbox';
import { waitFor } from '@suite/testing/waiting';
import { withIdempotencyKey, signIn } from '@suite/testing/suite/http-caller';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace, type Workspace } from '@suite/testing/suite/workspace';
import { atEachReplica } from './replicas.ts';
import { callAllReplicas, countReplies, TIMES } from './concurrently.ts';
import { assertionsOn } from './assertions.ts';

const ROUNDS = 4;

const suite = await useSharedSuite('doubled');
let acme: Workspace;
let crm: Member[];
let platform: Member[];

beforeAll(async () => {
  acme = await openWorkspace(suite);
  crm = atEachReplica(suite, 'crm', acme.owner);
  platform = atEachReplica(suite, 'platform', acme.owner);
}, 240_000);

const { count } = assertionsOn(suite);
const rounds = Array.from({ length: ROUNDS }, (_, at) => at + 1);

test('runs two replicas of each service', () => {
  expect([crm.length, platform.length]).toEqual([2, 2]);
});

describe('fifty concurrent calls over two replicas', () => {
  test.each(rounds)('convert a lead once, with one client (round %i)', async () => {
    const word = randomUUID();
    const lead = await acme.owner.post('/api/lead/create', { name: word, expected_value: '900.00' });
    const { id } = lead.body.data;
    const client = { name: word, email: `${word}@example.test` };
    const replies = await callAllReplicas(crm, (replica) =>
      replica.post(`/api/lead/convert-to-deal/${id}`, { client }),
    );

    // An overloaded machine may have lost the response 201. Then all callers receive 200.
    const { 201: made = 0, 200: repeated = 0 } = countReplies(replies);
    expect({ all: made + repeated, once: made <= 1 }).toEqual({ all: TIMES, once: true });
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await count('crm', 'deals WHERE lead_id = $1', id)).toBe(1);
    expect(await count('crm', `journal_events WHERE aggregate_id = $1 AND type = 'crm.lead.converted'`, id)).toBe(1);
    expect(await count('crm', `activities WHERE lead_id = $1 AND type = 'converted'`, id)).toBe(1);
    expect(await count('platform', 'users WHERE name = $1', word)).toBe(1);
    const announced = `journal_events WHERE type = 'platform.user.created' AND data ->> 'name' = $1`;
    await waitFor(async () => expect(await count('platform', announced, word)).toBe(1), 10_000);
  });

  test.each(rounds)('make one lead with one key (round %i)', async () => {
    const word = randomUUID();
    const key = withIdempotencyKey(word);
    const replies = await callAllReplicas(crm, (replica) => replica.post('/api/lead/create', { name: word }, key));

    const { 201: made = 0, '409 request_in_progress': waiting = 0 } = countReplies(replies);
    expect(made + waiting).toBe(TIMES);
    const answers = replies.filter(({ status }) => status === 201);
    expect(answers.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    for (const replica of crm) {
      const again = await replica.post('/api/lead/create', { name: word }, key);
      expect(again).toMatchObject({ status: 201, body: answers[0]?.body });
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
    expect(await count('crm', 'leads WHERE name = $1', word)).toBe(1);
    expect(await count('crm', `journal_changes WHERE table_name = 'leads' AND after ->> 'name' = $1`, word)).toBe(1);
  });

  test('invite a user once with one key and one e-mail', async () => {
    const email = `${randomUUID()}@example.test`;
    const invitation = { name: 'Robin', email, role_id: acme.roles['sales'] };
    const key = withIdempotencyKey();
    const replies = await callAllReplicas(platform, (replica) => replica.post('/api/user/store', invitation, key));
    const { 201: made = 0, '409 request_in_progress': waiting = 0 } = countReplies(replies);
    expect([made > 0, made + waiting]).toEqual([true, TIMES]);
    expect(await count('platform', 'users WHERE email = $1', email)).toBe(1);
    await waitFor(() => expect(emailsTo(suite, email)).toHaveLength(1), 10_000);
  });

  test('invite one user without a key: all others receive 409 email_taken', async () => {
    const email = `${randomUUID()}@example.test`;
    const invitation = { name: 'Robin', email, role_id: acme.roles['sales'] };
    const replies = await callAllReplicas(platform, (replica) => replica.post('/api/user/store', invitation));
    expect(countReplies(replies)).toEqual({ 201: 1, '409 email_taken': TIMES - 1 });
  });

  test.each(rounds)('refresh a session into one successor (round %i)', async () => {
    const { refresh_token } = await signIn(suite.gateway, acme.owner.email, acme.owner.password);
    const strangers = atEachReplica(suite, 'platform');
    const refresh = (at: number, token: string) => strangers[at]!.post('/api/refresh', { refresh_token: token });
    const replies = await callAllReplicas(strangers, (replica) => replica.post('/api/refresh', { refresh_token }));

    expect(countReplies(replies)).toEqual({ 200: TIMES });
    const [successor = '', ...others] = new Set<string>(replies.map(({ body }) => body.data.refresh_token));
    expect(others).toEqual([]);
    const next = await refresh(0, successor);
    expect(next.status).toBe(200);
    // A refresh token that is used again after its successor ends the session, at any replica.
    expect(await refresh(1, refresh_token)).toMatchObject({ status: 401, body: { code: 'token_reused' } });
    expect((await refresh(0, next.body.data.refresh_token)).status).toBe(401);
  });
});
