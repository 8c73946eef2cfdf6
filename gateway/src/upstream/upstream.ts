/** Upstream of a service: keep-alive connections, bulkheads and deadlines. Its failures become JSON errors. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Log } from '@suite/chassis/gateway';
import type { Request } from 'express';
import { createProxyMiddleware, type Plugin } from 'http-proxy-middleware';
import { type Bulkhead, bulkhead, type BulkheadSlot } from '../limits/bulkhead.ts';
import { type FairShare, fairShare } from '../limits/fair-share.ts';
import { BadGateway, BodyTooSlow, ServiceUnavailable } from '../request/faults.ts';
import { logFields, type GatewayReply, type RequestContext } from '../request/request-context.ts';
import { sendFault } from '../request/send-fault.ts';
import { enter, leave, readBodyAndEnter, setDeadline } from './admission.ts';
import { type BodyReader, hasBody, isUpload, watchUpload } from './bodies.ts';
import { deadlineOf, type Deadlines, isRead } from './deadlines.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { replicaAgent } from './replica-agent.ts';
import type { SignServiceToken } from './service-token.ts';

const MAX_REQUESTS = 64;
const MAX_WAITING_REQUESTS = 128;
/**
 * Maximum number of concurrent uploads. They have a separate bulkhead, because each runs as long as its client sends.
 */
const MAX_UPLOADS = 16;
const MAX_WAITING_UPLOADS = 32;
/**
 * Maximum number of concurrent downloads. They leave the bulkhead, because each runs as long as its client reads, and
 * their service has nothing left to compute.
 */
const MAX_DOWNLOADS = 256;

export interface Upstream {
  /** Forwards the request to the service and the response to the client. */
  forward(reply: GatewayReply): void;
  /** Frees all resources of a finished request. */
  release(reply: GatewayReply): void;
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
  /** True if connections come from our own proxy. They are not closed because of one client. */
  keepConnections: boolean;
  /** True if the process is about to stop. Responses then close their connections. */
  isStopping: () => boolean;
  log: Log;
}

interface UpstreamState extends UpstreamOptions {
  host: string;
  requests: Bulkhead<GatewayReply>;
  uploads: Bulkhead<GatewayReply>;
  downloads: FairShare;
  pass: (request: Request, reply: GatewayReply) => Promise<void>;
}

/** Creates the upstream of a service. It connects with the first request. */
export function upstream(options: UpstreamOptions): Upstream {
  const { hostname, port, host } = new URL(options.url);
  // The bulkhead is the only limit: a running request never waits for a connection.
  const agent = replicaAgent(MAX_REQUESTS);
  const events: Plugin<Request, GatewayReply> = (server) => {
    server.on('proxyReq', (outgoing, _request, reply) => onConnected(outgoing, reply));
    server.on('proxyRes', (response, _request, reply) => onResponse(state, response, reply));
    server.on('error', (error, _request, reply) => {
      if (reply && 'locals' in reply) onError(state, error, reply);
    });
  };
  const pass = createProxyMiddleware<Request, GatewayReply>({
    target: { protocol: 'http:', host: hostname.replaceAll(/[[\]]/g, ''), port },
    agent,
    // The default plugins compute an unused log line for every response.
    ejectPlugins: true,
    plugins: [events],
    pathFilter: () => true,
  });
  const requests = bulkhead<GatewayReply>(MAX_REQUESTS, MAX_WAITING_REQUESTS, (reply, place) =>
    run(state, reply, place),
  );
  const uploads = bulkhead<GatewayReply>(MAX_UPLOADS, MAX_WAITING_UPLOADS, (reply, place) =>
    runUpload(state, reply, place),
  );
  const downloads = fairShare(MAX_DOWNLOADS);
  const state: UpstreamState = { ...options, host, pass, requests, uploads, downloads };

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
      leave(context);
      clearInterval(context.upload_watch);
      context.endDownload?.();
    },
    close: () => agent.destroy(),
  };
}

/** Sends the request to the service, with a service token in place of the client's token. */
function run(state: UpstreamState, reply: GatewayReply, place: BulkheadSlot): void {
  const { signToken, service, host, pass } = state;
  const { req: request } = reply;
  const { context } = reply.locals;
  // The deadline passed or the client left while the request was queued.
  if (reply.writableEnded || reply.destroyed) return place.leave();
  const authorization = signToken(service, context.session);
  request.headers = requestHeaders(request.headers, context, {
    host,
    authorization,
    deadline_ms: Math.max(1, Math.ceil((context.ends_at ?? Infinity) - performance.now())),
  });
  void pass(request, reply);
}

function runUpload(state: UpstreamState, reply: GatewayReply, place: BulkheadSlot): void {
  const { context } = reply.locals;
  setDeadline(reply, state.deadlines.transfer_ms);
  context.upload_watch = watchUpload(reply.req, () => {
    sendFault(reply, BodyTooSlow());
    context.outgoing?.destroy();
  });
  run(state, reply, place);
}

/** Writes the stored body to the service. */
function onConnected(outgoing: ClientRequest, reply: GatewayReply): void {
  const { context } = reply.locals;
  if (reply.writableEnded || reply.destroyed) return void outgoing.destroy();
  context.outgoing = outgoing;
  if (context.body) outgoing.write(context.body);
}

/** Writes the head of the response. After that, http-proxy-middleware only pipes the body. */
function onResponse(state: UpstreamState, response: IncomingMessage, reply: GatewayReply): void {
  const { context } = reply.locals;
  state.beforeResponse(context);
  if (response.headers['content-disposition'] !== undefined && !beginDownload(state, reply)) {
    response.destroy();
    return sendFault(reply, ServiceUnavailable());
  }
  // A limit of the service itself, such as failed logins per account, now matters more to the client than the
  // gateway's.
  const retry_after_s = response.statusCode === 429 ? response.headers['retry-after'] : undefined;
  if (retry_after_s !== undefined) context.headers['ratelimit'] = `"account"; r=0; t=${retry_after_s}`;
  // A 429 closes its connection, whether it is from the gateway or a service.
  const isRateLimited = response.statusCode === 429 && !state.keepConnections;
  if (isRateLimited || state.isStopping()) context.headers['connection'] = 'close';
  try {
    reply.writeHead(response.statusCode ?? 502, responseHeaders(context.headers, response.headers));
  } catch (error) {
    response.destroy();
    onError(state, error as Error, reply);
  }
}

/** Frees the slot of a request whose response is a file. @returns false if there are too many downloads */
function beginDownload({ downloads, deadlines }: UpstreamState, reply: GatewayReply): boolean {
  const { context } = reply.locals;
  const { consumers } = context;
  if (!downloads.admits(consumers)) return false;
  downloads.acquire(consumers);
  context.endDownload = () => downloads.release(consumers);
  context.place?.leave();
  setDeadline(reply, deadlines.transfer_ms);
  return true;
}

function onError(state: UpstreamState, error: NodeJS.ErrnoException, reply: GatewayReply): void {
  const { context } = reply.locals;
  if (reply.writableEnded || reply.destroyed) return;
  if (mayRetry(error, reply)) {
    context.retried = true;
    void state.pass(reply.req, reply);
    return;
  }
  state.log.warn({ err: error, service: state.service, ...logFields(context) }, 'Service did not respond');
  sendFault(reply, UNREACHABLE.has(error.code ?? '') ? ServiceUnavailable() : BadGateway());
}

/**
 * Checks for a keep-alive connection that the service just closed. The request never arrived, and a read can be
 * repeated safely.
 */
function mayRetry({ code }: NodeJS.ErrnoException, { locals: { context }, headersSent, req }: GatewayReply): boolean {
  const stale = code === 'ECONNRESET' && context.outgoing?.reusedSocket === true;
  return stale && isRead(req) && !context.retried && !headersSent;
}

/** Error codes of requests that did not reach the service. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']);
