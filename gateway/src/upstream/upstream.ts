/** One upstream: keep-alive connections to a service, bulkheads and deadlines. Its failures become JSON errors. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { http, type Log } from '@suite/chassis/gateway';
import type { Request } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { type Bulkhead, bulkhead, type Place } from '../limits/bulkhead.ts';
import type { Consumer } from '../limits/fair-share.ts';
import { BadGateway, BodyTooSlow, GatewayTimeout, ServiceUnavailable } from '../request/faults.ts';
import { logFields, type Reply, type RequestContext } from '../request/request-context.ts';
import { faultOf, sendFault } from '../request/send-fault.ts';
import { type BodyReader, hasBody, isUpload, watchUpload } from './bodies.ts';
import { deadlineOf, type Deadlines, isRead } from './deadlines.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import type { SignServiceToken } from './service-token.ts';

const MAX_REQUESTS = 64;
const MAX_WAITING_REQUESTS = 128;
/** Uploads have a bulkhead of their own: each runs for as long as its client sends. */
const MAX_UPLOADS = 16;
const MAX_WAITING_UPLOADS = 32;

export interface Upstream {
  /** Forwards the request to the service and the response to the client. */
  forward(reply: Reply): void;
  /** Frees all that a finished request used. */
  release(reply: Reply): void;
  /** Closes the keep-alive connections. */
  close(): void;
}

export interface UpstreamOptions {
  service: string;
  /** `http://host:port` */
  url: string;
  deadlines: Deadlines;
  signToken: SignServiceToken;
  /** Reads small bodies. */
  readBody: BodyReader;
  /** Runs before a response is forwarded. */
  beforeResponse: (context: RequestContext) => void;
  /** Connections come from our own proxy, so none is closed because of one client. */
  keepConnections: boolean;
  /** Responses close their connections when the process is about to stop. */
  isStopping: () => boolean;
  log: Log;
}

interface UpstreamState extends UpstreamOptions {
  host: string;
  requests: Bulkhead<Reply>;
  uploads: Bulkhead<Reply>;
  pass: (request: Request, reply: Reply) => Promise<void>;
}

/** Makes the upstream of a service. It connects with the first request. */
export function upstream(options: UpstreamOptions): Upstream {
  const { hostname, port, host } = new URL(options.url);
  // The bulkhead is the limit: a request that runs never waits for a connection as well.
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: MAX_REQUESTS });
  const events: Plugin<Request, Reply> = (server) => {
    server.on('proxyReq', (outgoing, _request, reply) => onConnected(outgoing, reply));
    server.on('proxyRes', (response, _request, reply) => onResponse(state, response, reply));
    server.on('error', (error, _request, reply) => {
      if (reply && 'locals' in reply) onError(state, error, reply);
    });
  };
  const pass = createProxyMiddleware<Request, Reply>({
    target: { protocol: 'http:', host: hostname.replaceAll(/[[\]]/g, ''), port },
    agent,
    // The default plugins compute a log line that is never written, on every response.
    ejectPlugins: true,
    plugins: [events],
    pathFilter: () => true,
  });
  const requests = bulkhead<Reply>(MAX_REQUESTS, MAX_WAITING_REQUESTS, (reply, place) => run(state, reply, place));
  const uploads = bulkhead<Reply>(MAX_UPLOADS, MAX_WAITING_UPLOADS, (reply, place) => runUpload(state, reply, place));
  const state: UpstreamState = { ...options, host, pass, requests, uploads };

  return {
    forward(reply) {
      const { req: request } = reply;
      reply.locals.context.upstream = this;
      if (isUpload(request)) enter(uploads, reply, state.deadlines.write_ms);
      else if (hasBody(request)) readBodyAndEnter(state, reply);
      else enter(requests, reply, deadlineOf(request, state.deadlines));
    },
    release(reply) {
      const { context } = reply.locals;
      clearTimeout(context.deadline);
      clearInterval(context.upload_watch);
      context.discardBody?.();
      context.place?.leave();
    },
    close: () => agent.destroy(),
  };
}

/**
 * The consumers whose shares a request uses. All requests without a session share the part of one workspace. An address
 * weighs more than a workspace, because many workspaces can be behind it.
 */
function consumersOf({ session, address }: RequestContext): Consumer[] {
  const { user_id, workspace_id } = session?.caller ?? { user_id: address, workspace_id: null };
  return [
    { name: `caller ${user_id}`, weight: 1 },
    { name: `workspace ${workspace_id}`, weight: 2 },
    { name: `address ${address}`, weight: 8 },
  ];
}

/** Runs the request or has it wait; refuses it when the queue is full. */
function enter(into: Bulkhead<Reply>, reply: Reply, deadline_ms: number): void {
  setDeadline(reply, deadline_ms);
  const { context } = reply.locals;
  context.place = into.enter(reply, consumersOf(context));
  if (!context.place) sendFault(reply, ServiceUnavailable());
}

/** Reads the whole body before the request enters the bulkhead. */
function readBodyAndEnter(state: UpstreamState, reply: Reply): void {
  const { context } = reply.locals;
  const { req: request } = reply;
  // Without room nothing is read: a refusal must cost next to nothing.
  if (!state.requests.hasRoom(consumersOf(context))) return sendFault(reply, ServiceUnavailable());
  setDeadline(reply, state.deadlines.write_ms);
  const reading = state.readBody(request, context.address, (error, body) => {
    if (reply.writableEnded || reply.destroyed) return;
    if (error) return sendFault(reply, faultOf(error, reply, state.log));
    context.body = body;
    enter(state.requests, reply, deadlineOf(request, state.deadlines));
  });
  context.discardBody = reading.discard;
}

/** Sends the request to the service, with a service token in place of the client's token. */
function run(state: UpstreamState, reply: Reply, place: Place): void {
  const { signToken, service, host, pass } = state;
  const { req: request } = reply;
  const { context } = reply.locals;
  // The deadline passed or the client left while the request was waiting.
  if (reply.writableEnded || reply.destroyed) return place.leave();
  const authorization = signToken(service, context.session);
  request.headers = requestHeaders(request.headers, context, {
    host,
    authorization,
    deadline_ms: Math.max(1, Math.ceil((context.ends_at ?? Infinity) - performance.now())),
  });
  void pass(request, reply);
}

function runUpload(state: UpstreamState, reply: Reply, place: Place): void {
  const { context } = reply.locals;
  setDeadline(reply, state.deadlines.transfer_ms);
  context.upload_watch = watchUpload(reply.req, () => {
    sendFault(reply, BodyTooSlow());
    context.outgoing?.destroy();
  });
  run(state, reply, place);
}

/** Writes a body that was read before to the service. */
function onConnected(outgoing: ClientRequest, reply: Reply): void {
  const { context } = reply.locals;
  if (reply.writableEnded || reply.destroyed) return void outgoing.destroy();
  context.outgoing = outgoing;
  if (context.body) outgoing.write(context.body);
}

/** Writes the head of the response; http-proxy-middleware then only has to pipe the body. */
function onResponse(state: UpstreamState, response: IncomingMessage, reply: Reply): void {
  const { context } = reply.locals;
  state.beforeResponse(context);
  if (response.headers['content-disposition'] !== undefined) setDeadline(reply, state.deadlines.transfer_ms);
  // A service's own limit, as of failed logins per account, now matters to the client more than what is left of ours.
  const retry_after_s = response.statusCode === 429 ? response.headers['retry-after'] : undefined;
  if (retry_after_s !== undefined) context.headers['ratelimit'] = `"account"; r=0; t=${retry_after_s}`;
  // A 429 closes its connection, whether the gateway counted or a service.
  const isRateLimited = response.statusCode === 429 && !state.keepConnections;
  if (isRateLimited || state.isStopping()) context.headers['connection'] = 'close';
  try {
    reply.writeHead(response.statusCode ?? 502, responseHeaders(context.headers, response.headers));
  } catch (error) {
    response.destroy();
    onError(state, error as Error, reply);
  }
}

function onError(state: UpstreamState, error: NodeJS.ErrnoException, reply: Reply): void {
  const { context } = reply.locals;
  if (reply.writableEnded || reply.destroyed) return;
  if (mayRetry(error, reply)) {
    context.retried = true;
    void state.pass(reply.req, reply);
    return;
  }
  state.log.warn({ err: error, service: state.service, ...logFields(context) }, 'A service did not answer.');
  sendFault(reply, UNREACHABLE.has(error.code ?? '') ? ServiceUnavailable() : BadGateway());
}

function setDeadline(reply: Reply, deadline_ms: number): void {
  const { context } = reply.locals;
  clearTimeout(context.deadline);
  context.ends_at = performance.now() + deadline_ms;
  context.deadline = setTimeout(onDeadline, deadline_ms, reply);
}

function onDeadline(reply: Reply): void {
  const { place, outgoing } = reply.locals.context;
  if (place?.isWaiting()) {
    // Leaves the queue first: the client may take long to read the refusal, and the request must not run meanwhile.
    place.leave();
    sendFault(reply, ServiceUnavailable());
  } else sendFault(reply, reply.req.complete ? GatewayTimeout() : BodyTooSlow());
  outgoing?.destroy();
}

/** A keep-alive connection that the service just closed: the request never arrived, and reading twice is harmless. */
function mayRetry({ code }: NodeJS.ErrnoException, { locals: { context }, headersSent, req }: Reply): boolean {
  const stale = code === 'ECONNRESET' && context.outgoing?.reusedSocket === true;
  return stale && isRead(req) && !context.retried && !headersSent;
}

/** The request did not reach the service. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']);
