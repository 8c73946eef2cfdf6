import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isTooBusy, retryPostponed } from '@suite/testing/waiting';
import { startStripe } from '@suite/testing/payments/stripe';
import { sellPlan } from '@suite/testing/suite/instance';
import { useSharedSuite } from '@suite/testing/suite/started';
import { mapConcurrently } from '../isolation/intruder.ts';
import { type ApiOperation, apiDocument, instanceOperationsIn, pathWith } from '../suite/api-document.ts';
import type { RecordIds } from '../suite/draft.ts';
import { createInstance } from '../suite/instance-factories.ts';
import { nounOf } from '../suite/noun.ts';
import { findViolation } from './breach.ts';
import { strangeRequests } from './strange-input.ts';
import { unstorableRequests } from './unstorable.ts';

const SEED = 20_261_123;
const TIMES = 40;
const WIDTH = 8;
const suite = await useSharedSuite('selling');
const stripe = await startStripe(suite.stripe_port);
afterAll(stripe.stop);
const operations = instanceOperationsIn(await apiDocument(suite.gateway));
beforeAll(async () => {
  await sellPlan(suite, 'business', '35.00');
}, 240_000);

/**
 * Sends strange input to an operation with its own white-label instance, which may lose its tokens and subscriptions.
 */
async function interrogate(operation: ApiOperation) {
  const instance = await createInstance(suite, stripe);
  const { method, path, path_variables, id } = operation;
  const own = instance.own(operation);
  const stock: RecordIds = new Map(path_variables.map((name) => [nounOf(path, name), [own[name]!]]));
  const body = instance.body(operation) as Record<string, unknown>;
  const strange = [
    ...strangeRequests(operation, { stock, seed: SEED, times: TIMES, fit: Object.keys(body) }),
    ...unstorableRequests(operation, pathWith(path, own), body),
  ];
  const replies = await mapConcurrently(strange, WIDTH, ({ path: asked, body: sent, content_type }) =>
    retryPostponed(() => instance.program.send(method, asked, sent, { 'content-type': content_type }), isTooBusy).catch(
      String,
    ),
  );
  const statuses = replies.map((reply) => (typeof reply === 'object' ? reply.status : 0));
  return {
    id,
    breaches: replies.flatMap((reply, at) => findViolation(operation, strange[at]!, reply) ?? []),
    refused: statuses.some((status) => status >= 400),
  };
}

test('strange input of a partner is rejected as documented, and never breaks anything', async () => {
  const results = [];
  for (const operation of operations) results.push(await interrogate(operation));
  expect(results.flatMap(({ breaches }) => breaches)).toEqual([]);
  expect(results.filter(({ refused }) => !refused).map(({ id }) => id)).toEqual([]);
  const sound = await createInstance(suite, stripe);
  expect((await sound.program.get(`/api/wl/subscription/${sound.ref}`)).status).toBe(200);
}, 300_000);
