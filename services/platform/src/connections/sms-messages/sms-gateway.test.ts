import { describe, expect, test } from '@jest/globals';
import type { Database } from '@suite/chassis/database';
import { start, sortedStatuses, runConcurrently } from '@suite/testing';
import { contentsOf } from '../../../test/contents.ts';
import { smsGateway, TO } from '../../../test/sms-gateway.ts';
import { openWorkspace } from '../../../test/workspace.ts';
import { switchIntegrations } from '../integrations/integration.ts';
import { withoutCaller, type Db } from '../../operations.ts';
import { platform as contents } from '../../platform.ts';

const platform = await start({ ...contents, schedules: [] });
const { state, provider, connect, show, send, messages, deliver, sent } = await smsGateway(platform);

describe('the text-message gateway', () => {
  test('is not configured before a user connects it', async () => {
    expect(await show()).toMatchObject({
      name: 'smsgateway',
      scope: 'workspace',
      status: 'not_configured',
      settings: null,
      capabilities: [],
      last_error: null,
      usage: { today: 0, queued: 0 },
      allowed_actions: ['connect'],
    });
  });

  test('is connected after a successful test, and shows no secrets', async () => {
    const reply = await connect({ test_to: TO });
    expect(reply).toMatchObject({ status: 200, body: { data: { status: 'connected', usage: { today: 1 } } } });
    const { settings: shown, connected_by } = await show();
    expect(connected_by).toBe(state.acme.users.owner);
    expect(shown).toMatchObject({
      url: `${provider.url}/send?••••`,
      headers: { Authorization: '••••-key', 'X-Account': '••••ac-7'.replace('ac-7', '-7') },
      daily_limit: 500,
    });
    expect(sent()).toMatchObject([{ to: TO, from: 'Acme' }]);
    expect(provider.requests.at(-1)).toMatchObject({ headers: { authorization: 'Bearer canary-provider-key' } });
    const everything = await contentsOf(platform);
    for (const secret of ['canary-provider-key', 'query-secret']) expect(everything).not.toContain(secret);
  });

  test('is visible to staff, connected by owners, and tested by managers', async () => {
    await connect();
    const [staff, manager] = [await state.acme.as('staff'), await state.acme.as('manager')];
    expect(await show(staff)).toMatchObject({ status: 'connected', allowed_actions: [] });
    expect(sortedStatuses([await connect({}, staff), await send({}, staff)])).toEqual([403, 403]);
    expect((await staff.get('/api/smsgateway/messages')).status).toBe(403);
    expect(await connect({ sender: 'Shop' }, manager)).toMatchObject({ status: 403, body: { code: 'owner_gateway' } });
    expect(await connect({ url: 'https://attacker.example/' }, manager)).toMatchObject({ status: 403 });
    expect(await show()).toMatchObject({
      settings: { sender: 'Acme' },
      allowed_actions: ['connect', 'test', 'disconnect'],
    });
    expect(await show(manager)).toMatchObject({ allowed_actions: ['test', 'disconnect'] });
    expect((await manager.post('/api/smsgateway/test', { to: TO })).status).toBe(200);
    expect((await manager.post('/api/smsgateway/disconnect')).status).toBe(200);
  });

  test('keeps omitted settings, and accepts no masked value as a secret', async () => {
    await connect();
    const changed = await state.owner.post('/api/smsgateway/connect', { sender: 'Shop', daily_limit: 2 });
    expect(changed.body.data.settings).toMatchObject({ sender: 'Shop', daily_limit: 2, id_path: 'id' });
    await send();
    await deliver();
    expect(provider.requests.at(-1)).toMatchObject({ headers: { authorization: 'Bearer canary-provider-key' } });
    const { headers, url } = changed.body.data.settings;
    for (const masked of [{ headers }, { url }])
      expect(await state.owner.post('/api/smsgateway/connect', masked)).toMatchObject({
        status: 422,
        body: { code: 'masked_value' },
      });
  });

  test('does not send stored secrets to another server', async () => {
    await connect();
    const url = provider.url.replace('127.0.0.1', 'localhost');
    const moved = (more: object = {}) => state.owner.post('/api/smsgateway/connect', { url, ...more });
    expect((await moved()).body.errors).toEqual({ headers: [expect.any(String)] });
    expect((await moved({ url: `${provider.url}/elsewhere` })).status).toBe(200);
    // With new headers the server is called. The connection is rejected because it has no TLS.
    expect((await moved({ headers: { Authorization: 'Bearer another-key' } })).body.errors).toHaveProperty('url');
  });

  test('accepts an address whose bytes are not text', async () => {
    const reply = await connect({ url: `${provider.url}/%ff/send` });
    expect(reply).toMatchObject({ status: 200, body: { data: { settings: { url: `${provider.url}/%ff/send` } } } });
  });

  test.each([
    [{ url: undefined }, 'url'],
    [{ url: 'http://sms.example/send' }, 'url'],
    [{ url: 'ftp://127.0.0.1/' }, 'url'],
    [{ body_template: undefined }, 'body_template'],
    [{ body_template: '{"to":{{to}},"text":"{{text}}"}' }, 'body_template'],
    [{ sender: '' }, 'sender'],
    [{ headers: { Host: 'other.example' } }, 'headers'],
    [{ headers: { 'Content-Type': 'multipart/form-data' } }, 'headers'],
    [{ allowed_countries: ['XX'] }, 'allowed_countries.0'],
    [{ daily_limit: 0 }, 'daily_limit'],
    [{ id_path: 'a..b' }, 'id_path'],
    [{ test_to: '0170 1234567' }, 'test_to'],
    [{ test_to: '+33612345678', allowed_countries: ['DE'] }, 'test_to'],
  ])('names the invalid field: %j', async (changes, field) => {
    const { status, body } = await connect(changes);
    expect({ status, named: Object.keys(body.errors ?? {}) }).toEqual({ status: 422, named: [field] });
    expect((await show()).status).toBe('not_configured');
  });

  test('rejects a private network and stores nothing', async () => {
    for (const url of ['https://127.0.0.2/send', 'https://localhost/send', 'https://169.254.169.254/'])
      expect(await connect({ url })).toMatchObject({
        status: 422,
        body: { code: 'private_address', errors: { url: [expect.any(String)] } },
      });
    expect(await platform.sql`SELECT FROM integrations WHERE workspace_id = ${state.acme.id}`).toEqual([]);
  });

  test('is not connected when its connection test fails, and returns the steps', async () => {
    state.answers = [{ status: 401 }];
    expect(await connect({ test_to: TO })).toMatchObject({
      status: 422,
      body: {
        code: 'connection_failed',
        details: {
          ok: false,
          steps: [
            { name: 'server', ok: true },
            { name: 'message', ok: false },
          ],
        },
      },
    });
    expect(await show()).toMatchObject({ status: 'not_configured', settings: null });
  });

  test('is tested with one message, and returns the failed step', async () => {
    expect((await state.owner.post('/api/smsgateway/test', { to: TO })).body.code).toBe('not_connected');
    await connect();
    expect((await state.owner.post('/api/smsgateway/test', { to: TO })).body.data).toMatchObject({ ok: true });
    state.answers = [{ status: 400 }];
    expect((await state.owner.post('/api/smsgateway/test', { to: TO })).body.data).toMatchObject({
      ok: false,
      steps: [{ ok: true }, { name: 'message', ok: false, message: 'The provider returned 400.' }],
    });
    expect(await messages()).toMatchObject([{ status: 'failed' }, { status: 'sent' }]);
  });

  test('is disconnected idempotently, and waiting messages fail', async () => {
    await connect();
    await send();
    const replies = [
      await state.owner.post('/api/smsgateway/disconnect'),
      await state.owner.post('/api/smsgateway/disconnect'),
    ];
    expect(sortedStatuses(replies)).toEqual([200, 200]);
    expect(replies[1]!.body.data).toMatchObject({ status: 'not_configured', settings: null, connected_at: null });
    expect(await messages()).toMatchObject([{ status: 'failed', failure_code: 'disconnected' }]);
    expect((await send()).body.code).toBe('not_connected');
    const [kept] =
      await platform.sql`SELECT secrets_sealed, settings FROM integrations WHERE workspace_id = ${state.acme.id}`;
    expect(kept).toEqual({ secrets_sealed: null, settings: null });
  });

  test('is disabled while its module is disabled', async () => {
    await connect();
    await send();
    const switchTo = (...modules: string[]) =>
      (platform.database as Database<Db>).write(withoutCaller('test', state.acme.id), (db) =>
        switchIntegrations(db, modules),
      );
    await switchTo('crm');
    expect(await show()).toMatchObject({ status: 'disabled', allowed_actions: ['disconnect'] });
    await deliver();
    expect(sent()).toEqual([]);
    expect((await connect()).body.code).toBe('invalid_transition');
    await switchTo('crm', 'smsgateway');
    expect(await show()).toMatchObject({ status: 'connected', settings: { sender: 'Acme' } });
  });

  test('is one connection after many concurrent requests', async () => {
    expect(new Set(sortedStatuses(await runConcurrently(10, () => connect())))).toEqual(new Set([200]));
    expect(await platform.sql`SELECT FROM integrations WHERE workspace_id = ${state.acme.id}`).toHaveLength(1);
  });

  test('returns 409 for a partial change if the connection has changed or ended', async () => {
    await connect();
    const change = (body: object) => state.owner.post('/api/smsgateway/connect', body);
    state.meanwhile = () => change({ daily_limit: 7 });
    expect(await change({ sender: 'Other', test_to: TO })).toMatchObject({
      status: 409,
      body: { code: 'connection_changed' },
    });
    expect((await show()).settings).toMatchObject({ sender: 'Acme', daily_limit: 7 });
    state.meanwhile = () => state.owner.post('/api/smsgateway/disconnect');
    expect((await change({ sender: 'Other', test_to: TO })).body.code).toBe('connection_changed');
    expect(await show()).toMatchObject({ status: 'not_configured', settings: null });
    state.meanwhile = undefined;
    expect((await connect({ sender: 'Other' })).status).toBe(200);
  });

  test('is not visible to other workspaces', async () => {
    await connect();
    await send();
    const globex = await (await openWorkspace(platform)).as('owner');
    expect(await show(globex)).toMatchObject({ status: 'not_configured' });
    expect((await globex.get('/api/smsgateway/messages')).body.data).toEqual([]);
    expect((await send({}, globex)).body.code).toBe('not_connected');
  });
});
