import { describe, expect, test } from '@jest/globals';
import { start, sortedStatuses, freezeClock } from '@suite/testing';
import { contentsOf } from '../../../test/contents.ts';
import { socialAccount, TOKEN } from '../../../test/social-account.ts';
import { openWorkspace } from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';

const platform = await start({ ...contents, schedules: [] });
const { social, state, connect, withToken, show, post, posts } = await socialAccount(platform);
const callback = (parameters: URLSearchParams) => platform.anonymous.get(`/api/socialpost/callback?${parameters}`);

describe('a social account', () => {
  test('is connected once, after the user allows it at the server and returns', async () => {
    expect(await show()).toMatchObject({ name: 'socialpost', status: 'not_configured', settings: null });
    const started = await connect();
    expect(started).toMatchObject({ status: 201, body: { data: { integration: { status: 'not_configured' } } } });
    const back = social.allow(started.body.data.authorize_url);
    expect((await callback(back)).body.data).toEqual({ connected: true, account: 'acme', server_url: social.url });
    expect((await callback(back)).body.code).toBe('authorization_over');
    const [token] = [...social.tokens].filter((one) => one !== TOKEN);
    expect(await show()).toMatchObject({
      status: 'connected',
      connected_by: state.acme.users.owner,
      capabilities: ['post', 'media', 'schedule'],
      settings: {
        account: 'acme',
        max_characters: 300,
        characters_per_url: 23,
        access_token: `••••${token!.slice(-4)}`,
      },
    });
    const everything = await contentsOf(platform);
    for (const secret of [token!, [...social.apps.values()].at(-1)!.client_secret, back.get('state')!])
      expect(everything).not.toContain(secret);
  });

  test('is registered once on a server, for all workspaces', async () => {
    const before = social.apps.size;
    expect(sortedStatuses([await connect(), await connect()])).toEqual([201, 201]);
    expect(social.apps.size).toBe(before + 1);
  });

  test('is not connected if late, denied or with a foreign state', async () => {
    const clock = freezeClock('2026-06-10T08:00:00Z');
    const late = social.allow((await connect()).body.data.authorize_url);
    clock.goTo('2026-06-10T08:10:00Z');
    expect((await callback(late)).body.code).toBe('authorization_over');
    const { state } = Object.fromEntries(social.allow((await connect()).body.data.authorize_url));
    const denied = new URLSearchParams({ state: state!, error: 'access_denied' });
    expect((await callback(denied)).body.code).toBe('authorization_denied');
    const forged = `${state!.slice(0, -3)}abc`;
    expect((await callback(new URLSearchParams({ state: forged, code: 'x' }))).body.code).toBe('authorization_over');
    expect((await callback(new URLSearchParams({ state: 'nonsense', code: 'x' }))).status).toBe(404);
    const wrong = Object.fromEntries(social.allow((await connect()).body.data.authorize_url));
    expect(await callback(new URLSearchParams({ state: wrong['state']!, code: 'guessed' }))).toMatchObject({
      status: 422,
      body: { code: 'connection_failed', details: { steps: [{ name: 'token', ok: false }] } },
    });
    expect((await show()).status).toBe('not_configured');
  });

  test('is connected immediately with a token that the server knows', async () => {
    expect(await withToken()).toMatchObject({
      status: 201,
      body: { data: { authorize_url: null, integration: { status: 'connected', settings: { account: 'acme' } } } },
    });
    const wrong = await connect({ access_token: 'no-such-token-anywhere' });
    expect(wrong).toMatchObject({ status: 422, body: { code: 'connection_failed' } });
    expect((await connect({ access_token: '••••gram-and-more' })).body.code).toBe('masked_value');
    expect((await connect({ server_url: 'https://127.0.0.2' })).body.code).toBe('private_address');
    expect(await connect({ server_url: 'http://social.example' })).toMatchObject({
      status: 422,
      body: { errors: { server_url: [expect.any(String)] } },
    });
    expect(await show()).toMatchObject({ status: 'connected' });
  });

  test('is managed by owners and managers, and visible to all staff', async () => {
    await withToken();
    const staff = await state.acme.as('staff');
    expect(await show(staff)).toMatchObject({ status: 'connected', allowed_actions: [] });
    expect(sortedStatuses([await connect({}, staff), await post({}, staff)])).toEqual([403, 403]);
    const globex = await (await openWorkspace(platform)).as('owner');
    expect(await show(globex)).toMatchObject({ status: 'not_configured' });
  });

  test('is tested, and returns the failed step', async () => {
    expect((await state.owner.post('/api/socialpost/test')).body.code).toBe('not_connected');
    await withToken();
    expect((await state.owner.post('/api/socialpost/test')).body.data).toMatchObject({ ok: true });
    social.tokens.clear();
    expect((await state.owner.post('/api/socialpost/test')).body.data).toMatchObject({
      ok: false,
      steps: [
        { name: 'server', ok: true },
        { name: 'account', ok: false, message: 'The server returned 401: The access token is invalid' },
      ],
    });
  });

  test('is disconnected and its token revoked, even if the server is unreachable', async () => {
    await callback(social.allow((await connect()).body.data.authorize_url));
    await post();
    const tokenCount = social.tokens.size;
    expect((await state.owner.post('/api/socialpost/disconnect')).body.data).toMatchObject({
      status: 'not_configured',
    });
    expect(social.tokens.size).toBe(tokenCount - 1);
    expect(await posts()).toMatchObject([{ status: 'failed', failure_code: 'disconnected' }]);
    await callback(social.allow((await connect()).body.data.authorize_url));
    social.queued_responses.push({ status: 500 });
    expect((await state.owner.post('/api/socialpost/disconnect')).status).toBe(200);
    expect((await state.owner.post('/api/socialpost/disconnect')).status).toBe(200);
  });
});
