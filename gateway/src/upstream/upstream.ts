/** The way to one service: kept connections, a bulkhead, a deadline; and an answer in JSON whatever happens to it. */
import { Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Log } from '@suite/chassis/gateway';
import type { Request } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { faultOf, refuse } from '../request/send-fault.ts';
import { type BodyReader, hasBody, isUpload, watchPace } from './bodies.ts';
import { type Exchange, namesOf, type Reply } from '../request/request-context.ts';
import { inwardHeaders, outwardHeaders } from './headers.ts';
import type { Introduce } from './service-token.ts';
import { type Places, places } from '../limits/bulkhead.ts';
import type { Account } from '../limits/fair-share.ts';
import { BadAnswer, BodyTooSlow, ServiceUnavailable, TooLate } from '../request/faults.ts';

/** How long a service may take, by what is asked of it. */
export interface Deadlines {
  read_ms: number;
  write_ms: number;
  /** Uploads, and the transfer of files that are downloaded. */
  transfer_ms: number;
}

export const deadlines: Deadlines = { read_ms: 3_000, write_ms: 8_000, transfer_ms: 120_000 };

const IN_FLIGHT = 64;
const QUEUE = 128;
/** Uploads have places of their own: they hold them for as long as their senders take. */
const UPLOADS = 16;
const UPLOADS_QUEUE = 32;

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
  /** Reads small bodies. */
  read: BodyReader;
  /** Runs before an answer is passed on. */
  beforeAnswer: (exchange: Exchange) => void;
  /** Whether connections are a proxy's of ours: then one is not closed for what one of its clients does. */
  keepConnections: boolean;
  /** Answers end their connections when the process is about to stop. */
  isStopping: () => boolean;
  log: Log;
}

interface Way extends UpstreamOptions {
  host: string;
  bulkhead: Places<Reply>;
  uploads: Places<Reply>;
  pass: (request: Request, reply: Reply) => Promise<void>;
}

/** Opens the way to a service. Nothing is connected yet. */
export function upstream(options: UpstreamOptions): Upstream {
  const { hostname, port, host } = new URL(options.url);
  // The places are the limit: a request that has one never waits for a connection, to begin when nobody expects it.
  const agent = new Agent({ keepAlive: true, maxFreeSockets: IN_FLIGHT });
  const events: Plugin<Request, Reply> = (server) => {
    server.on('proxyReq', (outgoing, _request, reply) => begun(outgoing, reply));
    server.on('proxyRes', (answer, _request, reply) => answered(way, answer, reply));
    server.on('error', (error, _request, reply) => {
      if (reply && 'locals' in reply) failed(way, error, reply);
    });
  };
  const pass = createProxyMiddleware<Request, Reply>({
    target: { protocol: 'http:', host: hostname.replaceAll(/[[\]]/g, ''), port },
    agent,
    // The default plugins compute a log line for nobody, on every answer.
    ejectPlugins: true,
    plugins: [events],
    pathFilter: () => true,
  });
  const bulkhead = places<Reply>(IN_FLIGHT, QUEUE, (reply) => enter(way, reply));
  const uploads = places<Reply>(UPLOADS, UPLOADS_QUEUE, (reply) => enterUpload(way, reply));
  const way: Way = { ...options, host, pass, bulkhead, uploads };

  return {
    forward(reply) {
      reply.locals.exchange.upstream = this;
      if (isUpload(reply.req)) seat(way, way.uploads, reply, way.deadlines.write_ms);
      else if (hasBody(reply.req)) readFirst(way, reply);
      else seat(way, way.bulkhead, reply, patience(reply.req, way.deadlines));
    },
    leave(reply) {
      const { exchange } = reply.locals;
      clearTimeout(exchange.deadline);
      clearInterval(exchange.pace);
      exchange.forgetBody?.();
      vacate(way, reply);
    },
    close: () => agent.destroy(),
  };
}

function vacate({ bulkhead, uploads }: Way, reply: Reply): void {
  bulkhead.leave(reply);
  uploads.leave(reply);
}

/**
 * Whose share a place takes. All who are not signed in share what one workspace may have. An address gets more than a
 * workspace, because many workspaces can be behind it.
 */
function accounts({ session, address }: Exchange): Account[] {
  const { user_id, workspace_id } = session?.caller ?? { user_id: address, workspace_id: null };
  return [
    { name: `caller ${user_id}`, greed: 1 },
    { name: `workspace ${workspace_id}`, greed: 2 },
    { name: `address ${address}`, greed: 8 },
  ];
}

/** Gives a request a place at the service, or has it wait for one. */
function seat(way: Way, where: Places<Reply>, reply: Reply, ms: number): void {
  wait(way, reply, ms);
  if (!where.take(reply, accounts(reply.locals.exchange))) refuse(reply, ServiceUnavailable());
}

/** Takes in the whole body before the request takes a place. */
function readFirst(way: Way, reply: Reply): void {
  const { exchange } = reply.locals;
  const { req: request } = reply;
  // Nothing is read for whom there is no room: a refusal must cost next to nothing.
  if (!way.bulkhead.hasRoom(accounts(exchange))) return refuse(reply, ServiceUnavailable());
  wait(way, reply, way.deadlines.write_ms);
  const reading = way.read(request, exchange.address, (error, body) => {
    if (reply.writableEnded || reply.destroyed) return;
    if (error) return refuse(reply, faultOf(error, reply, way.log));
    exchange.body = body;
    seat(way, way.bulkhead, reply, patience(request, way.deadlines));
  });
  exchange.forgetBody = reading.forget;
}

/** Sends a request in, under the gateway's name. */
function enter(way: Way, reply: Reply): void {
  const { introduce, service, host, pass } = way;
  const { req: request } = reply;
  const { exchange } = reply.locals;
  // Whose time was over, or who left, has no use for a place.
  if (reply.writableEnded || reply.destroyed) return vacate(way, reply);
  const authorization = introduce(service, exchange.session);
  request.headers = inwardHeaders(request.headers, exchange, { host, authorization });
  void pass(request, reply);
}

function enterUpload(way: Way, reply: Reply): void {
  const { exchange } = reply.locals;
  wait(way, reply, way.deadlines.transfer_ms);
  exchange.pace = watchPace(reply.req, () => {
    refuse(reply, BodyTooSlow());
    exchange.outgoing?.destroy();
  });
  enter(way, reply);
}

/** The request to the service has a connection: what was read already goes first. */
function begun(outgoing: ClientRequest, reply: Reply): void {
  const { exchange } = reply.locals;
  if (reply.writableEnded || reply.destroyed) return void outgoing.destroy();
  exchange.outgoing = outgoing;
  if (exchange.body) outgoing.write(exchange.body);
}

/** Writes the head of an answer; http-proxy-middleware then only has to pipe the body. */
function answered(way: Way, answer: IncomingMessage, reply: Reply): void {
  const { exchange } = reply.locals;
  way.beforeAnswer(exchange);
  if (answer.headers['content-disposition'] !== undefined) wait(way, reply, way.deadlines.transfer_ms);
  // A service counts what only it sees; then what was left of our own limits is not what the client must know.
  const wait_s = answer.statusCode === 429 ? answer.headers['retry-after'] : undefined;
  if (wait_s !== undefined) exchange.headers['ratelimit'] = `"account"; r=0; t=${wait_s}`;
  // Whoever is refused for asking too much keeps no connection, whether the gateway counted or a service.
  const isTooMuch = answer.statusCode === 429 && !way.keepConnections;
  if (isTooMuch || way.isStopping()) exchange.headers['connection'] = 'close';
  try {
    reply.writeHead(answer.statusCode ?? 502, outwardHeaders(exchange.headers, answer.headers));
  } catch (error) {
    answer.destroy();
    failed(way, error as Error, reply);
  }
}

function failed(way: Way, error: NodeJS.ErrnoException, reply: Reply): void {
  const { exchange } = reply.locals;
  if (reply.writableEnded || reply.destroyed) return;
  if (mayRepeat(error, reply)) {
    exchange.retried = true;
    void way.pass(reply.req, reply);
    return;
  }
  way.log.warn({ err: error, service: way.service, ...namesOf(exchange) }, 'A service did not answer.');
  refuse(reply, AWAY.has(error.code ?? '') ? ServiceUnavailable() : BadAnswer());
}

function wait(way: Way, reply: Reply, ms: number): void {
  const { exchange } = reply.locals;
  clearTimeout(exchange.deadline);
  exchange.deadline = setTimeout(expire, ms, way, reply);
}

function expire(way: Way, reply: Reply): void {
  if (way.bulkhead.isWaiting(reply) || way.uploads.isWaiting(reply)) {
    // It may take long until the client has read the refusal, and no place may become free for it meanwhile.
    vacate(way, reply);
    refuse(reply, ServiceUnavailable());
  } else refuse(reply, reply.req.complete ? TooLate() : BodyTooSlow());
  reply.locals.exchange.outgoing?.destroy();
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

function patience(request: Request, { read_ms, write_ms, transfer_ms }: Deadlines): number {
  // What is printed is read, but takes as long as what is written.
  if (isRead(request)) return request.headers.accept?.includes('application/pdf') ? write_ms : read_ms;
  return request.headers['content-type']?.startsWith('multipart/form-data') ? transfer_ms : write_ms;
}

/** A kept connection that the service closed just then: the request never arrived, and reading twice is harmless. */
function mayRepeat({ code }: NodeJS.ErrnoException, { locals: { exchange }, headersSent, req }: Reply): boolean {
  const stale = code === 'ECONNRESET' && exchange.outgoing?.reusedSocket === true;
  return stale && isRead(req) && !exchange.retried && !headersSent;
}

/** Nobody was there to take the request. */
const AWAY = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']);
