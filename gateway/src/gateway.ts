/** The chain that every request passes, top to bottom. */
import { randomUUID } from 'node:crypto';
import type { Fault, Log, Metrics } from '@suite/chassis/gateway';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { plainAddress } from './limits/addresses.ts';
import { faultOf, refuse } from './request/send-fault.ts';
import { browsers } from './request/browser-headers.ts';
import { type Exchange, type Link, namesOf, type Reply } from './request/request-context.ts';
import { cleanPath } from './request/request-validation.ts';
import type { Limits } from './limits/rate-limits.ts';
import type { Upstream } from './upstream/upstream.ts';
import { Refusal } from './request/faults.ts';
import type { Routing } from './request/routing.ts';
import type { Sessions } from './session/session.ts';

export interface Parts {
  routing: Routing;
  sessions: Sessions;
  limits: Limits;
  /** By service. */
  upstreams: ReadonlyMap<string, Upstream>;
  docs: Link;
  /** Sites whose scripts may call the suite. */
  origins: readonly string[];
  /** How many proxies of ours stand in front; their X-Forwarded-For is believed, nobody else's. */
  hops: number;
  /** How many requests are on their way. */
  traffic: { running: number };
  observe: Metrics['observe'];
  log: Log;
}

/** Builds the gateway of its parts. */
export function gateway(parts: Parts): express.Express {
  const app = express();
  app.disable('etag').disable('x-powered-by').set('query parser', 'simple').set('trust proxy', parts.hops);

  const links: Link[] = [
    begin(parts),
    browsers(parts.origins),
    examine,
    parts.docs,
    route(parts),
    identify(parts),
    parts.limits.limit,
    forward(parts),
  ];
  for (const link of links) app.use(link as unknown as RequestHandler);
  app.use(fail(parts) as unknown as ErrorRequestHandler);
  return app;
}

const REQUEST_ID = /^[\w.:-]{8,128}$/;
const TRACEPARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** Names the request, and writes one line and one figure when it is over. */
function begin({ hops, routing, traffic, observe, log: all }: Parts): Link {
  // Only what is named below is written, so that nothing has to be searched for secrets on every request.
  const log = all.child({}, { redact: [] });
  const over = function (this: Reply) {
    const { exchange } = this.locals;
    traffic.running -= 1;
    exchange.upstream?.leave(this);
    const duration_ms = performance.now() - exchange.started;
    // A client that left before the answer was through is no failure of ours.
    const status = this.writableFinished ? this.statusCode : 499;
    observe(exchange.operation?.name ?? 'other', status, duration_ms);
    log.info(
      {
        ...namesOf(exchange),
        method: this.req.method,
        // Never the path itself: signed links and tokens stand in paths.
        path: exchange.operation?.path ?? routing.outline(exchange.path),
        status,
        duration_ms: Math.round(duration_ms * 10) / 10,
        service: exchange.operation?.service,
        workspace_id: exchange.session?.caller.workspace_id,
        user_id: exchange.session?.caller.user_id,
        address: exchange.address,
      },
      'request',
    );
  };

  return (request, reply, next) => {
    const { 'x-request-id': given, traceparent } = request.headers;
    const unique = randomUUID();
    const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : unique;
    reply.locals.exchange = {
      id,
      traceparent: typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : newTrace(unique),
      address: (hops > 0 ? request.ip : plainAddress(request.socket.remoteAddress)) ?? '',
      started: performance.now(),
      path: '',
      operation: undefined,
      session: null,
      upstream: undefined,
      body: undefined,
      forgetBody: undefined,
      pace: undefined,
      outgoing: undefined,
      deadline: undefined,
      retried: false,
      headers: { 'x-request-id': id },
    };
    traffic.running += 1;
    reply.on('close', over);
    next();
  };
}

/** A trace of its own for a request that came without one, from bits that are random already. */
function newTrace(unique: string): string {
  const span = unique.slice(0, 8) + unique.slice(9, 13) + unique.slice(14, 18);
  return `00-${span}${unique.slice(19, 23)}${unique.slice(24)}-${span}-01`;
}

/** Refuses what could be understood in two ways. */
const examine: Link = (request, reply, next) => {
  reply.locals.exchange.path = cleanPath(request);
  next();
};

/** Finds the operation: 404 and 405 are ours to answer, whoever asks. */
function route({ routing }: Parts): Link {
  return (request, reply, next) => {
    const { exchange } = reply.locals;
    exchange.operation = routing.find(request.method, exchange.path);
    next();
  };
}

/** Finds the caller. A public operation needs none, and ignores the token of one. */
function identify({ sessions }: Parts): Link {
  return (request, reply, next) => {
    const { exchange } = reply.locals;
    if (exchange.operation?.access === 'public') return next();
    const from = { address: exchange.address, request_id: exchange.id };
    const session = sessions.identify(request.headers.authorization, from);
    if (!(session instanceof Promise)) {
      exchange.session = session;
      return next();
    }
    session.then((found) => {
      exchange.session = found;
      next();
    }, next);
  };
}

/** Hands the request to its service. */
function forward({ upstreams }: Parts): Link {
  return (_request, reply) => {
    const service = reply.locals.exchange.operation?.service ?? '';
    const upstream = upstreams.get(service);
    if (!upstream) throw new Error(`There is no way to ${service}.`);
    upstream.forward(reply);
  };
}

/** Answers what any link threw. What no limit has counted yet counts against the address. */
function fail({ limits, routing, log }: Parts) {
  /** Found only when the answer is one, because it costs a search. */
  const hinted = (fault: Fault, { method }: express.Request, { operation, path }: Exchange) => {
    const isLost = fault instanceof Refusal && (fault.status === 404 || fault.status === 405) && !operation;
    const did_you_mean = isLost ? routing.suggest(method, path) : undefined;
    return isLost && did_you_mean ? fault.with({ did_you_mean }) : fault;
  };
  return (error: unknown, request: express.Request, reply: Reply, _next: express.NextFunction) => {
    const fault = faultOf(error, reply, log);
    if (reply.locals.exchange.headers['ratelimit'] || fault.status >= 500) return refuse(reply, fault);
    limits.limitAnonymous(request, reply, (limited?: unknown) =>
      refuse(reply, limited ? faultOf(limited, reply, log) : hinted(fault, request, reply.locals.exchange)),
    );
  };
}
