/** Middleware chain that every request passes, top to bottom. */
import { randomUUID } from 'node:crypto';
import type { Fault, Metrics } from '@suite/chassis/gateway';
import express, { type ErrorRequestHandler, type NextFunction, type RequestHandler } from 'express';
import type { ChangeSignals } from './changes/change-signals.ts';
import { changeStreams } from './changes/change-streams.ts';
import { innerSender } from './inner/inner-request.ts';
import { plainAddress } from './limits/addresses.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import { type OwnUpstream, ownUpstream, type OwnUpstreamOptions } from './own-upstream.ts';
import { answerPreflight, browserHeaders, openToSites } from './request/browser-headers.ts';
import { GatewayFault } from './request/faults.ts';
import {
  logFields,
  type Middleware,
  type GatewayReply,
  type RequestContext,
  type RequestSession,
} from './request/request-context.ts';
import { validatedPath } from './request/request-validation.ts';
import { OWN } from './request/routing.ts';
import { faultOf, sendFault } from './request/send-fault.ts';
import type { Sessions } from './session/session.ts';
import type { Upstream } from './upstream/upstream.ts';

export interface GatewayParts extends Omit<OwnUpstreamOptions, 'send'> {
  sessions: Sessions;
  limits: RateLimits;
  /** By service. */
  upstreams: ReadonlyMap<string, Upstream>;
  docs: Middleware;
  /** Signals for requests that wait for changes. */
  signals: ChangeSignals;
  /** Sites whose scripts may call the suite. */
  origins: readonly string[];
  /** Number of our own proxies in front of the gateway. `X-Forwarded-For` is trusted for that number of hops. */
  trusted_hops: number;
  /** Number of running requests. */
  traffic: { running: number };
  observe: Metrics['observe'];
}

/** Creates the gateway from its parts. */
export function gateway(parts: GatewayParts): express.Express {
  const app = express();
  app.disable('etag').disable('x-powered-by').set('query parser', 'simple').set('trust proxy', parts.trusted_hops);

  const send = innerSender(app);
  const chain: Middleware[] = [
    openContext(parts),
    browserHeaders(parts.origins),
    validate,
    parts.docs,
    answerPreflight(parts.routing),
    route(parts),
    authenticate(parts),
    parts.limits.limit,
    changeStreams({ ...parts, send }),
    forward(parts, ownUpstream({ ...parts, send })),
  ];
  app.use(inOrder(chain) as unknown as RequestHandler);
  app.use(answerErrors(parts) as unknown as ErrorRequestHandler);
  return app;
}

/** Combines the chain in one middleware, because Express searches all its middleware at each step of each request. */
function inOrder(chain: readonly Middleware[]): Middleware {
  return (request, reply, refuse) => {
    let at = 0;
    const next: NextFunction = (error?: unknown) => {
      if (error) return refuse(error);
      try {
        chain[at++]?.(request, reply, next);
      } catch (thrown) {
        refuse(thrown);
      }
    };
    next();
  };
}

const REQUEST_ID = /^[\w.:-]{8,128}$/;
const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** Opens the context of a request. Logs and measures the request when it ends. */
function openContext(parts: GatewayParts): Middleware {
  const { trusted_hops, traffic } = parts;
  const onClose = closeContext(parts);

  return (request, reply, next) => {
    const { 'x-request-id': given, traceparent } = request.headers;
    const unique = randomUUID();
    const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : unique;
    reply.locals.context = {
      id,
      traceparent: typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : newTrace(unique),
      address: (trusted_hops > 0 ? request.ip : plainAddress(request.socket.remoteAddress)) ?? '',
      started: performance.now(),
      path: '',
      operation: undefined,
      session: null,
      upstream: undefined,
      consumers: [],
      place: undefined,
      body: undefined,
      discardBody: undefined,
      endDownload: undefined,
      upload_watch: undefined,
      outgoing: undefined,
      deadline: undefined,
      ends_at: undefined,
      retried: false,
      headers: { 'x-request-id': id },
    };
    traffic.running += 1;
    reply.on('close', onClose);
    next();
  };
}

/** Writes one log line and one measurement for each request. */
function closeContext({ routing, traffic, observe, log: all }: GatewayParts): (this: GatewayReply) => void {
  // The fields below hold no secrets, so the logger does not have to redact each line.
  const log = all.child({}, { redact: [] });

  return function (this: GatewayReply) {
    const { context } = this.locals;
    traffic.running -= 1;
    context.upstream?.release(this);
    const duration_ms = performance.now() - context.started;
    // Does not count a client that disconnects before the end of the response as an error.
    const status = this.writableFinished ? this.statusCode : 499;
    observe(context.operation?.name ?? 'other', status, duration_ms);
    log.info(
      {
        ...logFields(context),
        method: this.req.method,
        // Logs the template rather than the path itself, because paths can contain signed links and tokens.
        path: context.operation?.path ?? routing.redact(context.path),
        status,
        duration_ms: Math.round(duration_ms * 10) / 10,
        service: context.operation?.service,
        workspace_id: context.session?.caller.workspace_id,
        user_id: context.session?.caller.user_id,
        address: context.address,
      },
      'Request',
    );
  };
}

/** Returns a new trace for a request without one, made from existing random bits. */
function newTrace(unique: string): string {
  const span = unique.slice(0, 8) + unique.slice(9, 13) + unique.slice(14, 18);
  return `00-${span}${unique.slice(19, 23)}${unique.slice(24)}-${span}-01`;
}

/** Rejects ambiguous requests. */
const validate: Middleware = (request, reply, next) => {
  reply.locals.context.path = validatedPath(request);
  next();
};

/** Finds the operation. An unknown path is 404 and a wrong method 405 for every caller, with or without a session. */
function route({ routing }: GatewayParts): Middleware {
  return (request, reply, next) => {
    const { context } = reply.locals;
    context.operation = routing.find(request.method, context.path);
    openToSites(reply);
    next();
  };
}

/** Finds the caller. Public operations need no caller and ignore tokens. */
function authenticate({ sessions }: GatewayParts): Middleware {
  return (request, reply, next) => {
    const { context } = reply.locals;
    if (context.operation?.access === 'public') return next();
    const as = context.operation?.access === 'instance' ? 'instance' : 'user';
    const from = { address: context.address, request_id: context.id, as } as const;
    const enter = (session: RequestSession) => {
      context.session = session;
      addSubscriptionStatus(context, session);
      next();
    };
    const session = sessions.authenticate(request.headers.authorization, from);
    if (!(session instanceof Promise)) return enter(session);
    session.then(enter, next);
  };
}

/** Adds a header to every response to owners when a payment is due, with the end of the grace period. */
function addSubscriptionStatus(
  { headers }: RequestContext,
  { caller, subscription: { status, until } }: RequestSession,
): void {
  if (status !== 'past_due' || caller.kind !== 'owner' || until === undefined) return;
  headers['subscription-status'] = `past_due; until=${until.toISOString()}`;
}

/** Forwards the request to its service, or runs an operation of the gateway itself. */
function forward({ upstreams }: GatewayParts, own: OwnUpstream): Middleware {
  return (_request, reply) => {
    const service = reply.locals.context.operation?.service ?? '';
    if (service === OWN) return own.forward(reply);
    const upstream = upstreams.get(service);
    if (!upstream) throw new Error(`No upstream configured for ${service}`);
    upstream.forward(reply);
  };
}

/**
 * Sends the error that the middleware chain threw. A request that no limit has counted yet counts against its address.
 */
function answerErrors({ limits, routing, log }: GatewayParts) {
  /** Runs only for faults that are sent, because the search is expensive. */
  const withSuggestion = (fault: Fault, { method }: express.Request, { operation, path }: RequestContext) => {
    if (!(fault instanceof GatewayFault) || operation || (fault.status !== 404 && fault.status !== 405)) return fault;
    const did_you_mean = routing.suggest(method, path);
    return did_you_mean ? fault.withDetails({ did_you_mean }) : fault;
  };
  return (error: unknown, request: express.Request, reply: GatewayReply, _next: NextFunction) => {
    const fault = faultOf(error, reply, log);
    if (reply.locals.context.headers['ratelimit'] || fault.status >= 500) return sendFault(reply, fault);
    limits.limitAnonymous(request, reply, (limited?: unknown) =>
      sendFault(reply, limited ? faultOf(limited, reply, log) : withSuggestion(fault, request, reply.locals.context)),
    );
  };
}
