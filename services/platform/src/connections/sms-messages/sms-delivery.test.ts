import { describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { smsGateway } from '../../../test/sms-gateway.ts';
import { platform as contents } from '../../platform.ts';

const platform = await start({ ...contents, schedules: [] });
const { state, connect, show, send, messages, deliver, sent } = await smsGateway(platform);

describe('a text message', () => {
  test('does not delay other messages if its provider rejects it', async () => {
    await connect();
    for (let at = 0; at < 8; at += 1) await send();
    state.answers = [{ status: 422 }];
    await deliver();
    expect(sent()).toHaveLength(8);
    expect(await show()).toMatchObject({
      status: 'connected',
      next_retry_at: null,
      last_error: { code: 'provider_refused', message: 'The provider returned 422.' },
    });
    state.answers = [{ json: { id: 'p-2', accepted: true } }];
    await send();
    await deliver();
    expect((await messages())[0]).toMatchObject({ status: 'sent' });
  });

  test("gets the provider's result if it is being sent during a disconnection", async () => {
    const underWay = async (meanwhile: () => Promise<unknown>, answer: object) => {
      await connect();
      await send();
      Object.assign(state, { meanwhile, answers: [answer] });
      await deliver();
      await deliver();
      return (await messages())[0];
    };
    const disconnect = () => state.owner.post('/api/smsgateway/disconnect');
    const accepted = { json: { id: 'p-1', accepted: true } };
    expect(await underWay(disconnect, accepted)).toMatchObject({ status: 'sent', failure: null, attempts: 1 });
    expect(await show()).toMatchObject({ status: 'not_configured', last_error: null });
    for (const status of [503, 401])
      expect(await underWay(disconnect, { status })).toMatchObject({ status: 'failed', failure_code: 'disconnected' });
    expect(sent()).toHaveLength(3);
    const another = async () => {
      await disconnect();
      await connect();
    };
    expect(await underWay(another, { status: 401 })).toMatchObject({ status: 'failed', failure_code: 'disconnected' });
    expect(await show()).toMatchObject({ status: 'connected', last_error: null });
  });
});
