/** For tests: a server that speaks Stripe's wire, with what a test does at the provider: pay, fail to, sign events. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from '@jest/globals';
import { openPayments } from '../src/payments/payments.ts';
import * as objects from './stripe-objects.ts';
import { find, newId, noObjects, now_s, type Objects, Refusal } from './stripe-objects.ts';

type Json = ReturnType<typeof JSON.parse>;

const STRIPE_SECRET = 'whsec_of_the_endpoint';
const TEST_KEY = 'sk_test_stand_in';

/** `a[b][0][c]=1` → { a: { b: [{ c: '1' }] } } */
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

/** Answers one call as Stripe does. */
function answer(all: Objects, method: string, path: string, wish: Json): Json {
  const [, , kind = '', a = '', b = '', c = ''] = path.split('/');
  const call = `${method} ${kind}`;
  if (call === 'POST products') return objects.createProduct(all, wish);
  if (call === 'POST accounts') return objects.openAccount(all, wish);
  if (call === 'GET accounts') return find(all.accounts, a);
  if (call === 'POST account_links') {
    find(all.accounts, wish.account);
    return { object: 'account_link', url: `https://connect.stripe.test/${newId('link')}`, expires_at: now_s() + 300 };
  }
  if (call === 'POST billing_portal')
    return { object: 'billing_portal.session', url: `https://billing.stripe.test/${wish.customer}` };
  if (kind === 'checkout' && method === 'POST')
    return c === 'expire' ? objects.expireSession(find(all.sessions, b)) : objects.openSession(all, wish);
  if (kind === 'checkout') return find(all.sessions, b);
  if (call === 'GET subscriptions') return find(all.subscriptions, a);
  if (call === 'POST subscriptions') return objects.changeSubscription(find(all.subscriptions, a), wish);
  if (call === 'DELETE subscriptions') return objects.endSubscription(find(all.subscriptions, a));
  throw new Refusal(404, 'unknown_path', `${method} ${path}`);
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

export interface StandIn extends Omit<Objects, 'products'> {
  /** A customer subscribes on the page of a session. */
  complete(session_id: string, patch?: object): Json;
  /** The calls that arrived, `POST /v1/checkout/sessions`, without those that were answered before under their key. */
  calls: string[];
  /** The status that so many of the next calls are answered with. */
  failing: { times: number; status: number };
  /** Runs before a call is answered, so that a test can do something meanwhile. */
  meanwhile: ((call: string) => Promise<void> | void) | undefined;
  /** An event, signed as by the endpoint. */
  event(
    type: string,
    object: object,
    more?: { id?: string; created?: number; account?: string; secret?: string },
  ): SignedEvent;
}

export interface SignedEvent {
  id: string;
  body: string;
  headers: Record<string, string>;
}

/** The answers to calls by their keys. */
type Answered = Map<string, { asked: string; body: Json }>;

/** Answers a request, or says why not. */
async function serve(
  all: Objects,
  standIn: StandIn,
  answered: Answered,
  request: IncomingMessage,
): Promise<[number, Json]> {
  const { method = '', url = '', headers } = request;
  const body = await textOf(request);
  const path = url.split('?')[0]!;
  if (headers.authorization !== `Bearer ${TEST_KEY}`)
    return [401, { error: { type: 'invalid_request_error', message: 'No such key.' } }];
  if (!headers['stripe-version'])
    return [400, { error: { type: 'invalid_request_error', message: 'Say the version.' } }];
  if (standIn.failing.times > 0) {
    standIn.failing.times -= 1;
    return [standIn.failing.status, { error: { type: 'api_error', message: 'Out of order.' } }];
  }
  await standIn.meanwhile?.(`${method} ${path}`);
  const key = method === 'POST' ? headers['idempotency-key']?.toString() : undefined;
  const before = key && answered.get(key);
  if (before && before.asked !== body) return [400, { error: { type: 'idempotency_error', message: 'Another body.' } }];
  if (before) return [200, before.body];
  standIn.calls.push(`${method} ${path}`);
  const result = structuredClone(answer(all, method, path, decode(body)));
  if (key) answered.set(key, { asked: body, body: result });
  return [200, result];
}

/** Starts the stand-in, and opens payments in test mode with it, until the file ends. */
export async function standInForStripe(): Promise<StandIn> {
  const all = noObjects();
  const answered: Answered = new Map();
  const standIn: StandIn = {
    ...all,
    complete: (session_id, patch) => objects.complete(all, session_id, patch),
    calls: [],
    failing: { times: 0, status: 500 },
    meanwhile: undefined,
    event(type, object, { id = newId('evt'), created = now_s(), account, secret = STRIPE_SECRET } = {}) {
      const body = JSON.stringify({ id, object: 'event', type, created, livemode: false, account, data: { object } });
      const t = now_s();
      const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
      const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` };
      return { id, body, headers };
    },
  };

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  openPayments({
    STRIPE_API_URL: `http://127.0.0.1:${port}`,
    STRIPE_TEST_KEY: TEST_KEY,
    STRIPE_LIVE_WEBHOOK_SECRETS: ['whsec_of_live'],
    STRIPE_TEST_WEBHOOK_SECRETS: [STRIPE_SECRET],
  });
  afterAll(async () => {
    openPayments();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return standIn;
}
