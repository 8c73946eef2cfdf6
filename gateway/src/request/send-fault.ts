/** The answers that the gateway gives itself: always JSON, always with the request's id. */
import type { IncomingMessage } from 'node:http';
import { errorAnswer, Fault, faultBody, Internal, type Log } from '@suite/chassis/gateway';
import { namesOf, type Reply } from './request-context.ts';
import { Refusal } from './faults.ts';

/** How long a client that was refused may go on sending its body before the connection is cut. */
const LINGER_MS = 5_000;

/** Answers with a fault; when an answer has begun already, all that is left is to break it off. */
export function refuse(reply: Reply, fault: Fault): void {
  if (reply.headersSent) {
    if (!reply.writableEnded) reply.destroy();
    return;
  }
  const { exchange } = reply.locals;
  const said = { ...faultBody(fault), request_id: exchange.id };
  const { type, body: shown } = errorAnswer(reply.req.headers.accept, fault.status, said);
  const body = JSON.stringify(shown);
  const more = fault instanceof Refusal ? fault.headers : {};
  const headers = {
    ...exchange.headers,
    ...more,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
  };
  reply.writeHead(fault.status, headers).end(body);
  if (!reply.req.complete) readAway(reply.req);
}

/** Reads and forgets what is left of a body, so that the client gets to see the answer; but not for ever. */
function readAway(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
  const cut = setTimeout(() => request.complete || request.socket.destroy(), LINGER_MS).unref();
  request.once('close', () => clearTimeout(cut));
}

/** What is no fault is a bug: the client learns nothing of it, the log everything. */
export function faultOf(error: unknown, reply: Reply, log: Log): Fault {
  if (error instanceof Fault) return error;
  log.error({ err: error, ...namesOf(reply.locals.exchange) }, 'A request failed.');
  return Internal();
}
