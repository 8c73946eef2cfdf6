/** Error responses of the gateway itself: always JSON, always with the request's id. */
import type { IncomingMessage } from 'node:http';
import { errorAnswer, Fault, faultBody, Internal, type Log } from '@suite/chassis/gateway';
import { GatewayFault } from './faults.ts';
import { logFields, type Reply } from './request-context.ts';

/** A refused client may go on sending its body for this long before the connection is cut. */
const LINGER_MS = 5_000;

/** Answers with a fault. Cuts the response off when its head was sent already. */
export function sendFault(reply: Reply, fault: Fault): void {
  if (reply.headersSent) {
    if (!reply.writableEnded) reply.destroy();
    return;
  }
  const { context } = reply.locals;
  const { type, body: content } = errorAnswer(reply.req.headers.accept, fault.status, {
    ...faultBody(fault),
    request_id: context.id,
  });
  const body = JSON.stringify(content);
  const headers = {
    ...context.headers,
    ...(fault instanceof GatewayFault && fault.headers),
    'content-type': type,
    'content-length': Buffer.byteLength(body),
  };
  reply.writeHead(fault.status, headers).end(body);
  if (!reply.req.complete) discardBody(reply.req);
}

/** Reads the rest of a body and drops it, so that the client gets to see the response; but not for ever. */
function discardBody(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
  const cut = setTimeout(() => request.complete || request.socket.destroy(), LINGER_MS).unref();
  request.once('close', () => clearTimeout(cut));
}

/** Anything thrown that is no fault is a bug: the log gets the details, the client a neutral message. */
export function faultOf(error: unknown, reply: Reply, log: Log): Fault {
  if (error instanceof Fault) return error;
  log.error({ err: error, ...logFields(reply.locals.context) }, 'A request failed.');
  return Internal();
}
