/** The way to one service: kept connections, a bulkhead, a deadline; and an answer in JSON whatever happens to it. */
import { Agent, type IncomingMessage } from 'node:http';
import type { Log } from '@suite/chassis/gateway';
import type { Request } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { refuse } from './answer.ts';
import type { Exchange, Reply } from './exchange.ts';
import { inwardHeaders, outwardHeaders } from './headers.ts';
import type { Introduce } from './inward.ts';
import { places } from './places.ts';
import { BadAnswer, BodyTooSlow, type Refusal, ServiceUnavailable, TooLate } from './refusal.ts';

/** How long a service may take, by what is asked of it. */
export interface Deadlines {
  read_ms: number;
  write_ms: number;
  /** Uploads, and the transfer of files that are downloaded. */
  transfer_ms: number;
}

export const deadlines: Deadlines = { read_ms: 3_000, write_ms: 8_000, transfer_ms: 120_000 };

const IN_FLIGHT = 64;
const QUEUE = 64;

export interface Upstream {
  /** Passes the request on and the answer back. */
  forward(reply: Reply): void;
  leave(reply: Reply): void;
  /** Ends the kept connections. */
  close(): void;
}

export interface UpstreamOptions {
  service: string;
  /** `http://host:port` */
  url: string;
  deadlines: Deadlines;
  introduce: Introduce;
  /** Runs before an answer is passed on. */
  beforeAnswer: (exchange: Exchange) => void;
  /** Answers end their connections when the process is about to stop. */
  isStopping: () => boolean;
  log: Log;
}

/** Opens the way to a service. Nothing is connected yet. */
export function upstream(options: UpstreamOptions): Upstream {
  const { service, introduce, isStopping, log } = options;
  const { hostname, port, host } = new URL(options.url);
  const target = { protocol: 'http:', host: hostname.replaceAll(/[[\]]/g, ''), port };
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT, maxFreeSockets: IN_FLIGHT });

  const enter = (reply: Reply) => {
    const { req: request } = reply;
    const { exchange } = reply.locals;
    const authorization = introduce(service, exchange.session);
    request.headers = inwardHeaders(request.headers, exchange, { host, authorization });
    void proxy(request, reply);
  };
  const bulkhead = places<Reply>(IN_FLIGHT, QUEUE, enter);

  const answered = (answer: IncomingMessage, request: Request, reply: Reply) => {
    const { exchange } = reply.locals;
    options.beforeAnswer(exchange);
    if (answer.headers['content-disposition'] !== undefined) wait(reply, options.deadlines.transfer_ms);
    if (isStopping()) exchange.headers['connection'] = 'close';
    try {
      // Written here, http-proxy-middleware only has to pipe the body.
      reply.writeHead(answer.statusCode ?? 502, outwardHeaders(exchange.headers, answer.headers));
    } catch (error) {
      answer.destroy();
      failed(error as NodeJS.ErrnoException, request, reply);
    }
  };

  const failed = (error: NodeJS.ErrnoException, request: Request, reply: Reply) => {
    const { exchange } = reply.locals;
    if (reply.writableEnded || reply.destroyed) return;
    if (mayRepeat(error, request, exchange) && !reply.headersSent) {
      exchange.retried = true;
      void proxy(request, reply);
      return;
    }
    log.warn({ err: error, service, request_id: exchange.id }, 'A service did not answer.');
    refuse(reply, refusalOf(error));
  };

  const expire = (reply: Reply) => {
    if (bulkhead.isWaiting(reply)) refuse(reply, ServiceUnavailable());
    else refuse(reply, reply.req.complete ? TooLate() : BodyTooSlow());
    reply.locals.exchange.outgoing?.destroy();
  };
  const wait = (reply: Reply, ms: number) => {
    const { exchange } = reply.locals;
    clearTimeout(exchange.deadline);
    exchange.deadline = setTimeout(expire, ms, reply);
  };

  const events: Plugin<Request, Reply> = (server) => {
    server.on('proxyReq', (outgoing, _request, reply) => {
      reply.locals.exchange.outgoing = outgoing;
    });
    server.on('proxyRes', answered);
    server.on('error', (error, request, reply) => {
      if (request && reply && 'locals' in reply) failed(error, request, reply);
    });
  };
  // The default plugins compute a log line for nobody, on every answer.
  const proxy = createProxyMiddleware<Request, Reply>({
    target,
    agent,
    ejectPlugins: true,
    plugins: [events],
    pathFilter: () => true,
  });

  return {
    forward(reply) {
      reply.locals.exchange.upstream = this;
      wait(reply, patience(reply.req, options.deadlines));
      if (!bulkhead.take(reply)) refuse(reply, ServiceUnavailable());
    },
    leave(reply) {
      clearTimeout(reply.locals.exchange.deadline);
      bulkhead.leave(reply);
    },
    close: () => agent.destroy(),
  };
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

function patience(request: Request, { read_ms, write_ms, transfer_ms }: Deadlines): number {
  if (isRead(request)) return read_ms;
  return request.headers['content-type']?.startsWith('multipart/form-data') ? transfer_ms : write_ms;
}

/** A kept connection that the service closed just then: the request never arrived, and reading twice is harmless. */
function mayRepeat(error: NodeJS.ErrnoException, request: Request, { outgoing, retried }: Exchange): boolean {
  return error.code === 'ECONNRESET' && !retried && outgoing?.reusedSocket === true && isRead(request);
}

const AWAY = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']);

function refusalOf(error: NodeJS.ErrnoException): Refusal {
  return AWAY.has(error.code ?? '') ? ServiceUnavailable() : BadAnswer();
}
