import { describe, expect, test } from '@jest/globals';
import type { Database } from '@suite/chassis/database';
import { start, sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { contentsOf } from '../../../test/contents.ts';
import { smsGateway, TO } from '../../../test/sms-gateway.ts';
import { openWorkspace } from '../../../test/workspace.ts';
import { withoutCaller, type Db } from '../../operations.ts';
import { platform as contents } from '../../platform.ts';
import { eraseSmsTexts } from './sms-delivery.ts';
import { queueSms } from './sms-message.ts';

const platform = await start({ ...contents, schedules: [] });
const { state, provider, connect, show, send, messages, deliver, sent } = await smsGateway(platform);

describe('a text message', () => {
  test('is queued, sent, and updated by a delivery report', async () => {
    await connect();
    const text = 'He said "5 < 6 & 7\\8"\nGrüße 🎉';
    const { body } = await send({ text, purpose: 'reminder' });
    expect(body.data).toMatchObject({ to: TO, text, purpose: 'reminder', status: 'queued', attempts: 0 });
    await deliver();
    expect(sent()).toMatchObject([{ to: TO, text, ref: body.data.id }]);
    expect(await messages()).toMatchObject([{ status: 'sent', attempts: 1, sent_at: expect.any(String) }]);
    const path = new URL(sent()[0].report).pathname;
    const report = (word: string, id = 'p-1') => platform.anonymous.post(path, { id, status: word, price: 3 });
    expect(await report('buffered')).toMatchObject({ status: 200, body: { data: { received: true } } });
    expect(await messages()).toMatchObject([{ status: 'sent' }]);
    expect(sortedStatuses([await report('delivered'), await report('delivered'), await report('failed')])).toEqual([
      200, 200, 200,
    ]);
    expect(await messages()).toMatchObject([{ status: 'delivered', failure: null, delivered_at: expect.any(String) }]);
    expect((await show()).last_sync_at).not.toBeNull();
  });

  test('is found by our ID before the provider’s ID is known the provider’s', async () => {
    await connect();
    const { id } = (await send()).body.data;
    await deliver();
    const path = new URL(sent()[0].report).pathname;
    expect((await platform.anonymous.post(path, { id, status: 'UNDELIV' })).status).toBe(200);
    expect(await messages()).toMatchObject([{ status: 'failed', failure: 'The provider reports: UNDELIV.' }]);
  });

  test('accepts reports only from its own provider', async () => {
    await connect();
    const { id } = (await send()).body.data;
    await deliver();
    const path = new URL(sent()[0].report).pathname;
    const report = (to: string, body: object) => platform.anonymous.post(to, body);
    expect((await report(path, { id: 'p-unknown', status: 'delivered' })).status).toBe(404);
    expect((await report(`${path.slice(0, -3)}abc`, { id, status: 'delivered' })).status).toBe(404);
    for (const unknown of ['nonsense', '%00', 'y'.repeat(300)])
      expect((await report(`/api/smsgateway/report/${unknown}`, { id, status: 'delivered' })).status).toBe(404);
    expect(await report(path, { status: 'delivered' })).toMatchObject({
      status: 422,
      body: { errors: { id: ['The report has no id at id.'] } },
    });
    const deep = `{"id":"${id}","status":"buffered","more":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const json = { 'content-type': 'application/json' };
    expect(await platform.anonymous.send('POST', path, deep, json)).toMatchObject({
      status: 422,
      body: { code: 'malformed_json' },
    });
    const globex = await openWorkspace(platform);
    const otherOwner = await globex.as('owner');
    await connect({}, otherOwner);
    await send({}, otherOwner);
    await deliver();
    const foreign = new URL(sent()[1].report).pathname;
    expect((await report(foreign, { id, status: 'delivered' })).status).toBe(404);
    await state.owner.post('/api/smsgateway/disconnect');
    expect((await report(path, { id, status: 'delivered' })).status).toBe(404);
  });

  test('is retried three times with growing delays if its provider is busy', async () => {
    const clock = freezeClock('2026-06-10T08:00:00Z');
    await connect();
    await send();
    state.answers = [{ status: 503 }];
    for (const [at, second] of [0, 1.2, 7.3, 37.4].entries()) {
      clock.goTo(new Date(Date.parse('2026-06-10T08:00:00Z') + second * 1_000).toISOString());
      await deliver();
      await deliver();
      expect(sent()).toHaveLength(at + 1);
    }
    expect(await messages()).toMatchObject([{ status: 'failed', attempts: 4, failure_code: 'provider_busy' }]);
    expect(await show()).toMatchObject({
      status: 'connected',
      last_error: { code: 'provider_busy', message: 'The provider returned 503.', count: 4 },
    });
  });

  test("respects the provider's Retry-After", async () => {
    const clock = freezeClock('2026-06-10T08:00:00Z');
    await connect();
    await send();
    state.answers = [{ status: 429, headers: { 'retry-after': '300' } }, { json: { id: 'p-2', accepted: true } }];
    await deliver();
    clock.goTo('2026-06-10T08:04:59Z');
    await deliver();
    expect(sent()).toHaveLength(1);
    clock.goTo('2026-06-10T08:05:00Z');
    await deliver();
    expect(await messages()).toMatchObject([{ status: 'sent', attempts: 2, failure: null }]);
  });

  test('does not wait for a provider of another workspace', async () => {
    const otherOwner = await (await openWorkspace(platform)).as('owner');
    await connect();
    await connect({}, otherOwner);
    await send();
    state.answers = [undefined, { json: { id: 'p-2', accepted: true } }];
    const arrived = async (count: number) => {
      while (sent().length < count) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    const delivering = deliver();
    await arrived(1);
    await send({ text: 'Theirs.' }, otherOwner);
    await arrived(2);
    expect(sent()[1]).toMatchObject({ text: 'Theirs.' });
    provider.hangUp();
    await delivering;
    expect(await messages()).toMatchObject([{ status: 'queued', failure_code: 'unreachable' }]);
  });

  test('is queued while its workspace is suspended', async () => {
    await connect();
    await send();
    const to = (status: string) => platform.sql`UPDATE workspaces SET status = ${status} WHERE id = ${state.acme.id}`;
    await to('suspended');
    await deliver();
    expect(sent()).toEqual([]);
    await to('active');
    await deliver();
    expect(sent()).toHaveLength(1);
  });

  test('is sent once even if the provider returns an ID that cannot be stored', async () => {
    await connect();
    await send();
    state.answers = [{ json: { id: 'p\u0000-\u0007\ud83d', accepted: true } }];
    await deliver();
    expect(await messages()).toMatchObject([{ status: 'sent', attempts: 1 }]);
    expect(await platform.sql`SELECT provider_id FROM sms_messages`).toEqual([{ provider_id: 'p-' }]);
    expect(await platform.sql`SELECT FROM postponed_work WHERE schedule = 'platform.deliver-sms'`).toEqual([]);
  });

  test('pauses calls to a provider after five consecutive failures', async () => {
    const clock = freezeClock('2026-06-10T08:00:00Z');
    await connect();
    for (let at = 0; at < 8; at += 1) await send();
    state.answers = [{ status: 500 }];
    await deliver();
    expect(sent()).toHaveLength(5);
    expect(await show()).toMatchObject({ next_retry_at: '2026-06-10T08:01:00.000Z', last_error: { count: 5 } });
    clock.goTo('2026-06-10T08:00:59Z');
    await deliver();
    expect(sent()).toHaveLength(5);
    state.answers = [{ json: { id: 'p-9', accepted: true } }];
    clock.goTo('2026-06-10T08:01:00Z');
    await deliver();
    expect(await show()).toMatchObject({ next_retry_at: null, usage: { queued: 0 } });
    expect((await messages()).map(({ status }: { status: string }) => status)).toEqual(Array(8).fill('sent'));
  });

  test('sets an error until the next success if its credentials are rejected', async () => {
    await connect();
    await send();
    state.answers = [{ status: 401 }];
    await deliver();
    expect(await show()).toMatchObject({
      status: 'error',
      last_error: { code: 'credentials_refused' },
      allowed_actions: ['connect', 'test', 'disconnect'],
    });
    expect(await messages()).toMatchObject([{ status: 'failed', failure_code: 'credentials_refused' }]);
    state.answers = [{ json: { id: 'p-1', accepted: true } }];
    expect((await state.owner.post('/api/smsgateway/test', { to: TO })).body.data).toMatchObject({ ok: true });
    expect(await show()).toMatchObject({ status: 'connected' });
  });

  test("sets the gateway's status to error if it fails for an hour", async () => {
    const clock = freezeClock('2026-06-10T08:00:00Z');
    await connect();
    state.answers = [{ status: 500 }];
    await send();
    await deliver();
    expect((await show()).status).toBe('connected');
    clock.goTo('2026-06-10T09:00:00Z');
    await deliver();
    expect((await show()).status).toBe('error');
  });

  test('is sent to allowed countries only', async () => {
    await connect({ allowed_countries: ['DE', 'AT'] });
    expect((await send()).status).toBe(201);
    expect(await send({ to: '+33612345678' })).toMatchObject({
      status: 422,
      body: { errors: { to: ['Messages can be sent to these countries only: DE, AT.'] } },
    });
  });

  test('stays within the daily limit, even for many concurrent requests', async () => {
    const clock = freezeClock('2026-06-10T08:00:00Z');
    await connect({ daily_limit: 20 });
    const replies = await runConcurrently(50, () => send());
    expect(sortedStatuses(replies)).toEqual([...Array(20).fill(201), ...Array(30).fill(429)]);
    const refused = replies.find(({ status }) => status === 429)!;
    // Midnight in Berlin is 14 hours later.
    expect(refused).toMatchObject({ body: { code: 'daily_limit', details: { daily_limit: 20 } } });
    expect(refused.headers.get('retry-after')).toBe(String(14 * 3_600));
    clock.goTo('2026-06-10T22:00:00Z');
    expect((await send()).status).toBe(201);
  });

  test('is sent once under one key', async () => {
    await connect();
    const headers = { 'idempotency-key': 'sms-1' };
    const body = { to: TO, text: 'Once.' };
    const replies = await runConcurrently(2, () => state.owner.post('/api/smsgateway/send', body, { headers }));
    expect(sortedStatuses(replies).filter((status) => status === 201).length).toBeGreaterThan(0);
    expect(await messages()).toHaveLength(1);
  });

  test('is sent once by many concurrent deliveries', async () => {
    await connect();
    await send();
    await Promise.all([deliver(), deliver(), deliver()]);
    expect(sent()).toHaveLength(1);
  });

  test('is readable by its recipient only, for ten minutes, as a second factor', async () => {
    const clock = freezeClock('2026-06-10T08:00:00Z');
    await connect();
    const database = platform.database as Database<Db>;
    const queue = () =>
      database.write(withoutCaller('test', state.acme.id), (db) =>
        queueSms(db, platform.tools.keys, { to: TO, text: 'canary 123456', purpose: 'second_factor' }),
      );
    await queue();
    expect(await messages()).toMatchObject([{ purpose: 'second_factor', text: null }]);
    expect(await contentsOf(platform)).not.toContain('canary 123456');
    await deliver();
    expect(sent()).toMatchObject([{ text: 'canary 123456' }]);
    state.answers = [{ status: 503 }];
    await queue();
    await deliver();
    const texts = async () =>
      await platform.sql`
      SELECT count(text_sealed)::int AS kept FROM sms_messages WHERE workspace_id = ${state.acme.id}`;
    clock.goTo('2026-06-10T08:09:59Z');
    await eraseSmsTexts.work(platform.tools as never);
    expect(await texts()).toEqual([{ kept: 2 }]);
    clock.goTo('2026-06-10T08:10:00Z');
    await eraseSmsTexts.work(platform.tools as never);
    expect(await texts()).toEqual([{ kept: 0 }]);
    await deliver();
    expect((await messages())[0]).toMatchObject({ status: 'failed', failure_code: 'expired' });
  });
});
