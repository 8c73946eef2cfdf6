/** Error responses of the gateway itself: always JSON, always with the request ID. */
import type { IncomingMessage } from 'node:http';
import { errorResponse, Fault, faultBody, Internal, type Log } from '@suite/chassis/gateway';
import { GatewayFault } from './faults.ts';
import { logFields, type GatewayReply } from './request-context.ts';

/** Time for which a rejected client may continue to send its body before the connection is closed. */
const LINGER_MS = 5_000;

/** Sends a fault. Aborts a response whose head was already sent. */
export function sendFault(reply: GatewayReply, fault: Fault): void {
  if (reply.headersSent) {
    if (!reply.writableEnded) reply.destroy();
    return;
  }
  const { context } = reply.locals;
  const { type, body: content } = errorResponse(reply.req.headers.accept, fault.status, {
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

/** Reads and discards the rest of a body for a limited time, so that the client receives the response. */
function discardBody(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
  const cut = setTimeout(() => request.complete || request.socket.destroy(), LINGER_MS).unref();
  request.once('close', () => clearTimeout(cut));
}

/** Treats any thrown value that is not a fault as a bug: logs the details and returns a neutral message. */
export function faultOf(error: unknown, reply: GatewayReply, log: Log): Fault {
  if (error instanceof Fault) return error;
  log.error({ err: error, ...logFields(reply.locals.context) }, 'Request failed');
  return Internal();
}
