import { beforeAll, describe, expect, test } from '@jest/globals';
import { start, sortedStatuses, runConcurrently } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { authenticate, openWorkspace, signIn, type TestWorkspace } from '../../../test/workspace.ts';

const platform = await start(contents);
const second = await start(contents, { replicaOf: platform });
let acme: TestWorkspace;
beforeAll(async () => {
  acme = await openWorkspace(platform);
});

const refresh = (refresh_token: string, at = platform) => at.anonymous.post('/api/refresh', { refresh_token });
const live = (session_id: string) =>
  platform.sql`SELECT FROM refresh_tokens WHERE session_id = ${session_id} AND spent_at IS NULL`;
const goesOn = (session_id: string) =>
  authenticate(platform, { $case: 'session_id', value: session_id }).then(
    () => true,
    () => false,
  );
/** Moves the spent tokens of a session back by the given number of seconds. */
const later = (session_id: string, seconds: number) =>
  platform.sql`UPDATE refresh_tokens SET spent_at = spent_at - make_interval(secs => ${seconds}) WHERE session_id = ${session_id}`;

describe('a refresh token', () => {
  test('returns a new pair of tokens for the same session', async () => {
    const kim = await signIn(platform, acme.email('sales'));
    const { status, body } = await refresh(kim.refresh_token);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ token_type: 'Bearer', expires_in: 600, access_token: expect.any(String) });
    expect(body.data.refresh_token).not.toBe(kim.refresh_token);
    expect(body.data.refresh_expires_in).toBeGreaterThan(13 * 86_400);
    expect(await goesOn(kim.caller.session_id!)).toBe(true);
    expect((await refresh(body.data.refresh_token)).status).toBe(200);
  });

  test('returns the same successor within ten seconds, in case of a lost response', async () => {
    const kim = await signIn(platform, acme.email('sales'));
    const [first, again] = [await refresh(kim.refresh_token), await refresh(kim.refresh_token, second)];
    expect(again.status).toBe(200);
    expect(again.body.data.refresh_token).toBe(first.body.data.refresh_token);
    expect(await live(kim.caller.session_id!)).toHaveLength(1);
  });

  test('ends its session if it is reused after that', async () => {
    const kim = await signIn(platform, acme.email('sales'));
    const { body } = await refresh(kim.refresh_token);
    await later(kim.caller.session_id!, 11);
    const stolen = await refresh(kim.refresh_token);
    expect(stolen).toMatchObject({ status: 401, body: { code: 'token_reused' } });
    expect((await refresh(body.data.refresh_token)).status).toBe(401);
    expect(await goesOn(kim.caller.session_id!)).toBe(false);
    const log =
      await platform.sql`SELECT event FROM user_log WHERE subject_id = ${kim.caller.session_id} ORDER BY created_at, id`;
    expect(log.map(({ event }) => event)).toEqual(['login', 'token_refresh', 'token_reuse']);
    const [session] = await platform.sql`SELECT revoked_reason FROM sessions WHERE id = ${kim.caller.session_id}`;
    expect(session).toEqual({ revoked_reason: 'token_reuse' });
  });

  test('ends its session immediately when its successor was already used', async () => {
    const kim = await signIn(platform, acme.email('sales'));
    const { body } = await refresh(kim.refresh_token);
    await refresh(body.data.refresh_token);
    expect(await refresh(kim.refresh_token)).toMatchObject({ status: 401, body: { code: 'token_reused' } });
    expect(await goesOn(kim.caller.session_id!)).toBe(false);
  });

  test('leaves one valid token if used twenty times concurrently on two replicas', async () => {
    const kim = await signIn(platform, acme.email('manager'));
    const replies = await runConcurrently(20, (at) => refresh(kim.refresh_token, at % 2 ? platform : second));
    expect(sortedStatuses(replies)).toEqual(Array(20).fill(200));
    expect(new Set(replies.map(({ body }) => body.data.refresh_token)).size).toBe(1);
    expect(await live(kim.caller.session_id!)).toHaveLength(1);
    expect((await refresh(replies[0]!.body.data.refresh_token)).status).toBe(200);
  });

  test('cannot have a second unspent sibling, by a database constraint', async () => {
    const kim = await signIn(platform, acme.email('manager'));
    const twin = platform.sql`INSERT INTO refresh_tokens (id, workspace_id, session_id, token_hash, expires_at)
      SELECT gen_random_uuid(), workspace_id, id, ${`twin of ${kim.caller.session_id}`}, now() + interval '1 day' FROM sessions WHERE id = ${kim.caller.session_id}`;
    await expect(twin).rejects.toMatchObject({ constraint: 'refresh_tokens_live' });
  });

  test('is invalid after its idle or total lifetime', async () => {
    const idle = await signIn(platform, acme.email('hr'));
    await platform.sql`UPDATE refresh_tokens SET expires_at = now() WHERE session_id = ${idle.caller.session_id}`;
    expect(await refresh(idle.refresh_token)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    const old = await signIn(platform, acme.email('hr'));
    await platform.sql`UPDATE sessions SET expires_at = now() WHERE id = ${old.caller.session_id}`;
    expect(await refresh(old.refresh_token)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  test('does not outlive its session', async () => {
    const kim = await signIn(platform, acme.email('hr'));
    await platform.sql`UPDATE sessions SET expires_at = now() + interval '1 hour' WHERE id = ${kim.caller.session_id}`;
    const { body } = await refresh(kim.refresh_token);
    expect(body.data.refresh_expires_in).toBeLessThanOrEqual(3_600);
  });

  test('is invalid when its user is disabled', async () => {
    const other = await openWorkspace(platform);
    const kim = await other.as('staff');
    await platform.sql`UPDATE users SET status = 'disabled' WHERE id = ${other.users.staff}`;
    expect((await refresh(kim.refresh_token)).status).toBe(401);
  });

  test.each([
    ['an invented one', { refresh_token: 'bmr_invented' }, 401],
    ['none', {}, 422],
    ['an endless one', { refresh_token: 'x'.repeat(201) }, 422],
    ['a list', { refresh_token: ['x'] }, 422],
  ])('is rejected if it is %s', async (_, body, status) => {
    expect((await platform.anonymous.post('/api/refresh', body)).status).toBe(status);
  });

  test('cannot be used as an access token, nor the reverse', async () => {
    const kim = await signIn(platform, acme.email('agent'));
    expect((await refresh(kim.access_token)).status).toBe(422);
    const sessionId = { $case: 'session_id' as const, value: kim.refresh_token };
    await expect(authenticate(platform, sessionId)).rejects.toMatchObject({ status: 401 });
  });
});
