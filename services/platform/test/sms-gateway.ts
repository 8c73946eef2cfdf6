/** Test fixture: a text-message gateway, its provider, and an owner who uses it. */
import { beforeEach } from '@jest/globals';
import type { ServiceUnderTest } from '@suite/testing';
import { deliverSms } from '../src/connections/sms-messages/sms-delivery.ts';
import { type FakeResponse, fakeServer } from './fake-server.ts';
import { openWorkspace, type SignedIn, type TestWorkspace } from './workspace.ts';

export const TO = '+491701234567';

/** State of a test, reset before each. */
interface State {
  acme: TestWorkspace;
  owner: SignedIn;
  /** Responses of the provider. The last one repeats. */
  answers: (FakeResponse | undefined)[];
  /** Called once before the provider responds to a message. */
  meanwhile?: (() => Promise<unknown>) | undefined;
}

/** Starts a provider, and creates a workspace before each test. */
export async function smsGateway(platform: ServiceUnderTest) {
  const state = { answers: [] } as unknown as State;
  const provider = await fakeServer(async ({ method }) => {
    if (method === 'HEAD') return {};
    const { meanwhile } = state;
    state.meanwhile = undefined;
    await meanwhile?.();
    return state.answers.length > 1 ? state.answers.shift() : state.answers[0];
  });
  beforeEach(async () => {
    provider.requests.length = 0;
    await platform.sql`DELETE FROM sms_messages`;
    const acme = await openWorkspace(platform);
    Object.assign(state, {
      acme,
      owner: await acme.as('owner'),
      answers: [{ json: { id: 'p-1', accepted: true } }],
      meanwhile: undefined,
    });
  });
  const settings = {
    url: `${provider.url}/send?key=query-secret`,
    headers: { Authorization: 'Bearer canary-provider-key', 'X-Account': 'ac-7' },
    body_template: '{"to":"{{to}}","text":"{{text}}","from":"{{sender}}","ref":"{{id}}","report":"{{report_url}}"}',
    sender: 'Acme',
    id_path: 'id',
    success_path: 'accepted',
  };
  return {
    state,
    provider,
    connect: (changes: object = {}, by = state.owner) =>
      by.post('/api/smsgateway/connect', { ...settings, ...changes }),
    show: async (by = state.owner) => (await by.get('/api/smsgateway')).body.data,
    send: (changes: object = {}, by = state.owner) =>
      by.post('/api/smsgateway/send', { to: TO, text: 'Your order is ready.', ...changes }),
    messages: async () => (await state.owner.get('/api/smsgateway/messages')).body.data,
    deliver: () => deliverSms.work(platform.tools as never),
    sent: () => provider.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body)),
  };
}
