/**
 * The gateway as its own upstream: runs its operations. The calls of a batch pass the whole chain again, as requests
 * with the credential and the address of the batch.
 */
import { type Log, parse } from '@suite/chassis/gateway';
import { z } from 'zod';
import { BatchInterrupted, BatchTimeout } from './batch/batch-faults.ts';
import type { BatchTools, ReadyCall } from './batch/batch.ts';
import { commonHeaders, copyLimits } from './inner/inner-headers.ts';
import type { SendInner } from './inner/inner-request.ts';
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
  /** Sends a request to the handler of all requests of the gateway. */
  send: SendInner;
  routing: Routing;
  deadlines: Deadlines;
  readBody: BodyReader;
  /** True if the process waits for its last responses. A batch then begins no further call. */
  isDraining: () => boolean;
  log: Log;
}

const IdempotencyKey = z.object({ 'idempotency-key': z.string().min(1).max(255).optional() });

/** Returns the means of one batch. @throws a 422 for an invalid Idempotency-Key */
function toolsOf(reply: GatewayReply, { routing, deadlines, send, isDraining, log }: OwnUpstreamOptions): BatchTools {
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
  const answer = async (reply: GatewayReply): Promise<void> => {
    try {
      await answerOwn(reply, toolsOf(reply, options));
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
