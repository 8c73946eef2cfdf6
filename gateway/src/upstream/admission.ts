/** Admission of requests to a bulkhead: the body is read first, and each step has a deadline. */
import type { Log } from '@suite/chassis/gateway';
import type { Bulkhead } from '../limits/bulkhead.ts';
import { BodyTooSlow, GatewayTimeout, ServiceUnavailable } from '../request/faults.ts';
import type { GatewayReply, RequestContext } from '../request/request-context.ts';
import { faultOf, sendFault } from '../request/send-fault.ts';
import type { BodyReader } from './bodies.ts';
import { consumersOf } from './consumers.ts';
import { deadlineOf, type Deadlines } from './deadlines.ts';

/** Bulkhead with the reader of its bodies. */
export interface Admission {
  requests: Bulkhead<GatewayReply>;
  deadlines: Deadlines;
  readBody: BodyReader;
  log: Log;
}

const consumersIn = ({ locals: { context }, req: { headers } }: GatewayReply) =>
  consumersOf(context, headers.authorization);

/** Runs or queues the request. Rejects it if the queue is full. */
export function enter(into: Bulkhead<GatewayReply>, reply: GatewayReply, deadline_ms: number): void {
  setDeadline(reply, deadline_ms);
  const { context } = reply.locals;
  context.consumers = consumersIn(reply);
  context.place = into.enter(reply, context.consumers);
  if (!context.place) sendFault(reply, ServiceUnavailable());
}

/** Reads the whole body before the request enters the bulkhead. */
export function readBodyAndEnter({ requests, deadlines, readBody, log }: Admission, reply: GatewayReply): void {
  const { context } = reply.locals;
  const { req: request } = reply;
  // Reads nothing if the bulkhead is full, so that a rejection costs almost nothing.
  if (!requests.hasRoom(consumersIn(reply))) return sendFault(reply, ServiceUnavailable());
  setDeadline(reply, deadlines.write_ms);
  const reading = readBody(request, context.address, (error, body) => {
    if (reply.writableEnded || reply.destroyed) return;
    if (error) return sendFault(reply, faultOf(error, reply, log));
    context.body = body;
    enter(requests, reply, deadlineOf(request, deadlines));
  });
  context.discardBody = reading.discard;
}

/** Frees the slot in the bulkhead and the memory of the body. */
export function leave(context: RequestContext): void {
  clearTimeout(context.deadline);
  context.discardBody?.();
  context.place?.leave();
}

/** Replaces the deadline of a request. */
export function setDeadline(reply: GatewayReply, deadline_ms: number): void {
  const { context } = reply.locals;
  clearTimeout(context.deadline);
  context.ends_at = performance.now() + deadline_ms;
  context.deadline = setTimeout(onDeadline, deadline_ms, reply);
}

function onDeadline(reply: GatewayReply): void {
  const { place, outgoing } = reply.locals.context;
  if (place?.isWaiting()) {
    place.leave();
    sendFault(reply, ServiceUnavailable());
  } else sendFault(reply, reply.req.complete ? GatewayTimeout() : BodyTooSlow());
  outgoing?.destroy();
}
