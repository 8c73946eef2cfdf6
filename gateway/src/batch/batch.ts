/**
 * Runs the calls of a batch, one after the other. Chosen: in order and not concurrently, because later calls can depend
 * on earlier ones, and because a batch then uses one slot of a service at a time.
 */
import { createHash } from 'node:crypto';
import { Fault, faultBody } from '@suite/chassis/gateway';
import { BadGateway } from '../request/faults.ts';
import type { Routing } from '../request/routing.ts';
import { assertCallable, checkCalls, type NamedCall } from './batch-calls.ts';
import { BatchFull, BatchStopped, ResponseNotJson, ResponseTooLarge } from './batch-faults.ts';
import { type Batch, type CallOutcome, OUTCOME_HEADERS } from './batch.schema.ts';
import { type InnerResponse, MAX_RESPONSE_BYTES } from '../inner/inner-request.ts';
import { resolveReferences } from './references.ts';

/** Call that is ready to be sent. */
export interface ReadyCall {
  method: string;
  path: string;
  /** Headers that the call itself sets, and its `x-request-id`. */
  headers: Record<string, string>;
  body: string | undefined;
}

/** The request that contains the batch. */
export interface BatchTools {
  request_id: string;
  /** `Idempotency-Key` of the batch. */
  key: string | undefined;
  routing: Routing;
  /** Sends a call with the credential of the batch. @throws BadGateway */
  send(call: ReadyCall): Promise<InnerResponse>;
  /** @throws the fault of all further calls: the client has disconnected, the time is over, or the gateway stops */
  assertRunning(): void;
}

/** Largest response to a batch, in bytes. A call begins only if the largest response to it still fits. */
const MAX_BATCH_BYTES = 3 * MAX_RESPONSE_BYTES;
/** An ID has at most 128 characters. */
const MAX_ID_PREFIX = 124;

/**
 * Returns the idempotency key of a call: a digest of the batch's key, a line feed and the ID of the call. Chosen: the ID
 * and not only the position, so that calls with IDs keep their keys if the order changes.
 */
export const callKey = (key: string, id: string): string =>
  `batch-${createHash('sha256').update(`${key}\n${id}`).digest('base64url')}`;

/** Returns the headers that a call sets, in lower case, with its own or its derived idempotency key. */
function headersOf({ id, method, headers = {} }: NamedCall, { key }: BatchTools): Record<string, string> {
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return key === undefined || method === 'GET' ? own : { 'idempotency-key': callKey(key, id), ...own };
}

/** Returns the outcome of a call that has a fault. */
function faultOutcome(id: string, fault: Fault, request_id: string): CallOutcome {
  const { retry_after_s = fault.status === 503 ? 1 : undefined } = (fault.details ?? {}) as { retry_after_s?: number };
  const headers = {
    'x-request-id': request_id,
    ...(retry_after_s !== undefined && { 'retry-after': String(retry_after_s) }),
  };
  return { id, status: fault.status, headers, body: { ...faultBody(fault), request_id } };
}

/** Returns the outcome of a call that was sent. @throws ResponseNotJson, ResponseTooLarge, BadGateway */
function toOutcome(id: string, { status, headers, content }: InnerResponse, request_id: string): CallOutcome {
  if (content === 'not_json') throw ResponseNotJson();
  if (content === 'too_large') throw ResponseTooLarge();
  const shown = OUTCOME_HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  const body = content.text === '' ? null : parsed(content.text);
  return { id, status, headers: { 'x-request-id': request_id, ...Object.fromEntries(shown) }, body };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw BadGateway();
  }
}

/** Sends a call. @throws its Fault */
async function sendCall(
  call: NamedCall,
  request_id: string,
  outcomes: ReadonlyMap<string, CallOutcome>,
  tools: BatchTools,
): Promise<CallOutcome> {
  const { id, method } = call;
  const { path, body } = resolveReferences(call, (other) => {
    const outcome = outcomes.get(other);
    return outcome && outcome.status < 400 ? outcome : undefined;
  });
  // Checked again, because the values in the path are known only now.
  assertCallable({ find: tools.routing.find }, { method, path }, 'path');
  const response = await tools.send({
    method,
    path,
    headers: { ...headersOf(call, tools), 'x-request-id': request_id },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return toOutcome(id, response, request_id);
}

/** Returns the outcome of a call, or of its fault. */
async function settle(id: string, request_id: string, work: () => Promise<CallOutcome>): Promise<CallOutcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) return faultOutcome(id, error, request_id);
    throw error;
  }
}

/** Returns the ID of the first call that failed. */
const failedCall = (outcomes: ReadonlyMap<string, CallOutcome>): string | undefined =>
  [...outcomes.values()].find(({ status }) => status >= 400)?.id;

/**
 * Runs a batch.
 * @returns one outcome for each call, in order
 * @throws a 422 before the first call if any call is invalid
 */
export async function runBatch({ calls, stop_on_error }: Batch, tools: BatchTools): Promise<CallOutcome[]> {
  const outcomes = new Map<string, CallOutcome>();
  let bytes = 0;
  const assertNext = () => {
    const failed = stop_on_error ? failedCall(outcomes) : undefined;
    if (failed !== undefined) throw BatchStopped({ call: failed });
    if (bytes + MAX_RESPONSE_BYTES > MAX_BATCH_BYTES) throw BatchFull();
    tools.assertRunning();
  };
  for (const [at, call] of checkCalls(tools.routing, calls).entries()) {
    const request_id = `${tools.request_id.slice(0, MAX_ID_PREFIX)}-${at + 1}`;
    const outcome = await settle(call.id, request_id, () => {
      assertNext();
      return sendCall(call, request_id, outcomes, tools);
    });
    bytes += Buffer.byteLength(JSON.stringify(outcome.body));
    outcomes.set(call.id, outcome);
  }
  return [...outcomes.values()];
}
