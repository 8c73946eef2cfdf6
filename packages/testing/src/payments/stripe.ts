/** A fake Stripe server, with the actions of a test at the provider: pay, fail to pay, sign and deliver events. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as objects from './stripe-objects.ts';
import { find, newId, noObjects, now_s, type Objects, Refusal } from './stripe-objects.ts';

type Json = ReturnType<typeof JSON.parse>;

/** The webhook endpoint secrets and API keys, by mode. */
const SECRETS = { test: 'whsec_of_the_endpoint', live: 'whsec_of_live' } as const;
const KEYS = { test: 'sk_test_stand_in', live: 'sk_live_stand_in' } as const;

/** Parses a form body: `a[b][0][c]=1` → { a: { b: [{ c: '1' }] } } */
function decode(body: string): Json {
  const root: Json = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const path = name.replaceAll(']', '').split('[');
    let at = root;
    for (const [depth, key] of path.entries()) {
      if (depth === path.length - 1) at[key] = value;
      else at = at[key] ??= /^\d+$/.test(path[depth + 1]!) ? [] : {};
    }
  }
  return root;
}

/** Lists events like Stripe: newest first, in parts of two, so that a test needs few events. */
function listEvents(events: ReadonlyMap<string, Json>, { livemode, created, types, starting_after }: Json): Json {
  const found = [...events.values()]
    .filter(
      (event) => event.livemode === livemode && types.includes(event.type) && event.created >= Number(created.gte),
    )
    .toSorted((one, other) => other.created - one.created);
  const at = found.findIndex(({ id }) => id === starting_after) + 1;
  return { object: 'list', data: found.slice(at, at + 2), has_more: found.length > at + 2 };
}

/** Handles one request like Stripe. */
function handleRequest(all: Objects, method: string, path: string, wish: Json): Json {
  const [, , kind = '', a = '', b = '', c = ''] = path.split('/');
  const { livemode } = wish;
  const call = `${method} ${kind}`;
  // Objects of the other mode do not exist.
  const own = (kept: Map<string, Json>, id: string): Json => {
    const found = find(kept, id);
    if ((found.livemode ?? livemode) !== livemode) throw new Refusal(404, 'resource_missing');
    return found;
  };
  if (call === 'POST products') return objects.createProduct(all, wish);
  if (call === 'POST accounts') return objects.openAccount(all, wish);
  if (call === 'GET events') return listEvents(all.events, wish);
  if (call === 'GET accounts') return own(all.accounts, a);
  if (call === 'POST account_links') {
    own(all.accounts, wish.account);
    return { object: 'account_link', url: `https://connect.stripe.test/${newId('link')}`, expires_at: now_s() + 300 };
  }
  if (call === 'POST billing_portal')
    return { object: 'billing_portal.session', url: `https://billing.stripe.test/${wish.customer}` };
  if (kind === 'checkout' && method === 'POST')
    return c === 'expire' ? objects.expireSession(own(all.sessions, b)) : objects.openSession(all, wish);
  if (kind === 'checkout') return own(all.sessions, b);
  if (call === 'GET subscriptions') return own(all.subscriptions, a);
  if (call === 'POST subscriptions') return objects.changeSubscription(own(all.subscriptions, a), wish);
  if (call === 'DELETE subscriptions') return objects.endSubscription(own(all.subscriptions, a));
  throw new Refusal(404, 'unknown_path', `${method} ${path}`);
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

export interface FakeStripe extends Omit<Objects, 'products'> {
  /** Its address. */
  url: string;
  /** The settings of a suite that uses this server in test mode. */
  settings: Record<'STRIPE_API_URL' | 'STRIPE_TEST_KEY' | 'STRIPE_TEST_WEBHOOK_SECRETS', string>;
  /** Additional settings of a suite that also sells in live mode. */
  live: Record<'STRIPE_LIVE_KEY' | 'STRIPE_LIVE_WEBHOOK_SECRETS', string>;
  /** Returns the checkout session at a page URL. */
  sessionAt(url: string): Json;
  /** Completes a checkout session: a customer subscribes. */
  complete(session_id: string, patch?: object): Json;
  /** Calls that arrived, `POST /v1/checkout/sessions`, without calls that were answered before under their key. */
  calls: string[];
  /** Status for the next calls, and the number of these calls. */
  failing: { times: number; status: number };
  /** Runs before a call is answered, so that a test can change something in between. */
  meanwhile: ((call: string) => Promise<void> | void) | undefined;
  /** Returns an event with the signature of the endpoint for the mode of its object. */
  event(
    type: string,
    object: object,
    more?: { id?: string; created?: number; account?: string; secret?: string },
  ): SignedEvent;
  stop(): Promise<void>;
}

export interface SignedEvent {
  id: string;
  body: string;
  headers: Record<string, string>;
}

/** Responses to requests, by idempotency key. */
type StoredResponses = Map<string, { asked: string; body: Json }>;

const refusal = (message: string) => ({ error: { type: 'invalid_request_error', message } });

/** Answers a request, or returns the error. */
async function serve(
  all: Objects,
  standIn: FakeStripe,
  answered: StoredResponses,
  request: IncomingMessage,
): Promise<[number, Json]> {
  const { method = '', url = '', headers } = request;
  const body = await textOf(request);
  const path = url.split('?')[0]!;
  const livemode = headers.authorization === `Bearer ${KEYS.live}`;
  if (!livemode && headers.authorization !== `Bearer ${KEYS.test}`) return [401, refusal('No such key.')];
  if (!headers['stripe-version']) return [400, refusal('Send the Stripe-Version header.')];
  if (standIn.failing.times > 0) {
    standIn.failing.times -= 1;
    const { status } = standIn.failing;
    const code = status === 409 ? 'idempotency_key_in_use' : undefined;
    return [status, { error: { type: 'api_error', code, message: 'The order is wrong.' } }];
  }
  await standIn.meanwhile?.(`${method} ${path}`);
  const named = method === 'POST' ? headers['idempotency-key']?.toString() : undefined;
  const key = named && `${livemode} ${named}`;
  const before = key && answered.get(key);
  if (before && before.asked !== body)
    return [400, { error: { type: 'idempotency_error', message: 'The body differs.' } }];
  if (before) return [200, before.body];
  standIn.calls.push(`${method} ${path}`);
  const wish = { ...decode(url.split('?')[1] ?? ''), ...decode(body), livemode };
  const result = structuredClone(handleRequest(all, method, path, wish));
  if (key) answered.set(key, { asked: body, body: result });
  return [200, result];
}

function signEvent(
  type: string,
  object: object,
  {
    id = newId('evt'),
    created = now_s(),
    account,
    secret,
  }: { id?: string; created?: number; account?: string; secret?: string },
): SignedEvent {
  const livemode = 'livemode' in object && object.livemode === true;
  const body = JSON.stringify({ id, object: 'event', type, created, livemode, account, data: { object } });
  const t = now_s();
  const v1 = createHmac('sha256', secret ?? SECRETS[livemode ? 'live' : 'test'])
    .update(`${t}.${body}`)
    .digest('hex');
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` };
  return { id, body, headers };
}

const addressAt = (port: number): string => `http://127.0.0.1:${port}`;

/** Returns the settings of a suite that uses the fake at this port in test mode. */
export const stripeSettings = (port: number): FakeStripe['settings'] => ({
  STRIPE_API_URL: addressAt(port),
  STRIPE_TEST_KEY: KEYS.test,
  STRIPE_TEST_WEBHOOK_SECRETS: SECRETS.test,
});

const fakeStripeOf = (all: Objects, stop: FakeStripe['stop']): FakeStripe => ({
  ...all,
  url: '',
  settings: stripeSettings(0),
  live: { STRIPE_LIVE_KEY: KEYS.live, STRIPE_LIVE_WEBHOOK_SECRETS: SECRETS.live },
  sessionAt: (url) => [...all.sessions.values()].find((session) => session.url === url),
  complete: (session_id, patch) => objects.completeSession(all, session_id, patch),
  calls: [],
  failing: { times: 0, status: 500 },
  meanwhile: undefined,
  event: (type, object, more = {}) => {
    const signed = signEvent(type, object, more);
    if (more.secret === undefined && more.account === undefined) all.events.set(signed.id, JSON.parse(signed.body));
    return signed;
  },
  stop,
});

/** Starts the fake on the port that a suite expects, or on a free port. */
export async function startStripe(port = 0): Promise<FakeStripe> {
  const all = noObjects();
  const answered: StoredResponses = new Map();
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const send = ([status, body]: [number, Json]) => {
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': newId('req') });
      response.end(JSON.stringify(body));
    };
    serve(all, standIn, answered, request).then(send, (error: unknown) => {
      if (!(error instanceof Refusal)) return send([500, { error: { type: 'api_error', message: String(error) } }]);
      const { status, code, message } = error;
      send([status, { error: { type: 'invalid_request_error', code, message } }]);
    });
  });
  const standIn = fakeStripeOf(all, async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: taken } = server.address() as AddressInfo;
  standIn.url = addressAt(taken);
  standIn.settings = stripeSettings(taken);
  return standIn;
}
