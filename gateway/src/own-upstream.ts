/**
 * The gateway as its own upstream: runs its operations. The calls of a batch pass the whole chain again, as requests
 * with the credential and the address of the batch.
 */
import type { RequestListener } from 'node:http';
import { type Log, parse } from '@suite/chassis/gateway';
import { z } from 'zod';
import { BatchInterrupted, BatchTimeout } from './batch/batch-faults.ts';
import type { BatchTools, ReadyCall } from './batch/batch.ts';
import { innerSender, type SendInner } from './batch/inner-request.ts';
import { bulkhead } from './limits/bulkhead.ts';
import { answerOwn } from './own-operations.ts';
import { BadGateway } from './request/faults.ts';
import { type GatewayReply, logFields } from './request/request-context.ts';
import type { Routing } from './request/routing.ts';
import { faultOf, sendFault } from './request/send-fault.ts';
import { type Admission, enter, leave, readBodyAndEnter } from './upstream/admission.ts';
import { type BodyReader, hasBody } from './upstream/bodies.ts';
import type { Deadlines } from './upstream/deadlines.ts';

/** A batch can need 20 MiB for its parsed responses. Fair shares limit one caller to four batches. */
const MAX_BATCHES = 8;
const MAX_WAITING_BATCHES = 32;
const MAX_BODY_BYTES = 1_024 * 1_024;

export interface OwnUpstreamOptions {
  /** The handler of all requests of the gateway. */
  handler: RequestListener;
  routing: Routing;
  deadlines: Deadlines;
  readBody: BodyReader;
  /** True if the process waits for its last responses. A batch then begins no further call. */
  isDraining: () => boolean;
  log: Log;
}

const IdempotencyKey = z.object({ 'idempotency-key': z.string().min(1).max(255).optional() });

/** Headers of the batch that apply to each of its calls. */
const INHERITED = ['authorization', 'accept-language', 'user-agent'] as const;

/** Returns the headers of a call that the client does not set. */
function commonHeaders({ req, locals: { context } }: GatewayReply): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => {
    const value = req.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    host: 'gateway',
    accept: 'application/json',
    traceparent: context.traceparent,
    ...Object.fromEntries(inherited),
  };
}

/** Copies the state of the rate limits, so that the response to the batch shows it after the last call. */
function copyLimits(from: Record<string, unknown>, to: Record<string, string>): void {
  for (const name of ['ratelimit', 'ratelimit-policy']) {
    const value = from[name];
    if (typeof value === 'string') to[name] = value;
  }
}

/** Returns the means of one batch. @throws a 422 for an invalid Idempotency-Key */
function toolsOf(
  reply: GatewayReply,
  { routing, deadlines, isDraining, log }: OwnUpstreamOptions,
  send: SendInner,
): BatchTools {
  const { context } = reply.locals;
  const { 'idempotency-key': key } = parse(IdempotencyKey, reply.req.headers);
  const ends_at = performance.now() + deadlines.batch_ms;
  const common = commonHeaders(reply);
  return {
    request_id: context.id,
    key,
    routing,
    assertRunning() {
      if (reply.destroyed || isDraining()) throw BatchInterrupted();
      if (performance.now() >= ends_at) throw BatchTimeout();
    },
    async send({ headers, body, ...call }: ReadyCall) {
      const sent: Record<string, string> = { ...common, ...headers };
      if (body !== undefined) {
        sent['content-type'] = 'application/json';
        sent['content-length'] = String(Buffer.byteLength(body));
      }
      const inner = { ...call, body, address: context.address, headers: sent };
      const response = await send(inner).catch((error: unknown) => {
        log.warn({ err: error, ...logFields(context) }, 'Call of a batch failed');
        throw BadGateway();
      });
      copyLimits(response.headers, context.headers);
      return response;
    },
  };
}

/** Runs the operations of the gateway. */
export interface OwnUpstream {
  forward(reply: GatewayReply): void;
  /** Frees all resources of a finished request. */
  release(reply: GatewayReply): void;
}

/** Creates the upstream. */
export function ownUpstream(options: OwnUpstreamOptions): OwnUpstream {
  const { deadlines, readBody, log } = options;
  const send = innerSender(options.handler);
  const answer = async (reply: GatewayReply): Promise<void> => {
    try {
      await answerOwn(reply, toolsOf(reply, options, send));
    } catch (error) {
      sendFault(reply, faultOf(error, reply, log));
    }
  };
  const requests = bulkhead<GatewayReply>(MAX_BATCHES, MAX_WAITING_BATCHES, (reply, place) => {
    // The deadline passed or the client left while the request was queued.
    if (reply.writableEnded || reply.destroyed) return place.leave();
    // Each call has its own deadline, and the batch checks the time before each call.
    clearTimeout(reply.locals.context.deadline);
    void answer(reply);
  });
  const admission: Admission = {
    requests,
    deadlines,
    log,
    readBody: (request, address, done) => readBody(request, address, done, MAX_BODY_BYTES),
  };

  return {
    forward(reply) {
      const { req: request } = reply;
      reply.locals.context.upstream = this;
      if (request.method !== 'POST') void answer(reply);
      else if (hasBody(request)) readBodyAndEnter(admission, reply);
      else enter(requests, reply, deadlines.write_ms);
    },
    release: ({ locals: { context } }) => leave(context),
  };
}
