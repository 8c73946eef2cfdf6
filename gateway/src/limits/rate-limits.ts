/**
 * How much of the suite one caller may use. The policies are data, so that the documents can publish them; each is
 * named in the RateLimit headers of every answer that it counted.
 */
import { clock, Fault, type Log, TooManyRequests } from '@suite/chassis/gateway';
import { type RateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import { neighbourhood } from './addresses.ts';
import type { Exchange, Link, Reply } from '../request/request-context.ts';
import type { Operation } from '../request/routing.ts';

export interface Policy {
  /** Requests within the window. */
  limit: number;
  window_s: number;
  /** What is counted, and for whom, in words for the documents. */
  counts: string;
  /** Whether what succeeds uses up nothing. */
  only_failures?: boolean;
}

/** The published numbers. Platform counts failed logins per account besides: only it sees the account. */
export const policies = {
  token: { limit: 600, window_s: 60, counts: 'Requests with one access token’s session or one API key.' },
  workspace: { limit: 3_000, window_s: 60, counts: 'Requests of everybody in one workspace.' },
  login: { limit: 30, window_s: 60, counts: 'Failed logins from one address.', only_failures: true },
  public: { limit: 20, window_s: 60, counts: 'Other writes without a token from one address.' },
  // Chosen: the specification publishes no number for what is left; generous, but no room to guess tokens.
  anonymous: { limit: 600, window_s: 60, counts: 'Everything else that is not signed in, from one address.' },
} as const satisfies Record<string, Policy>;

export type PolicyName = keyof typeof policies;

/** The policies with a deployment's own limits put in their place. */
export function effectivePolicies(limits: Partial<Record<PolicyName, number>>): Record<PolicyName, Policy> {
  const entries = Object.entries(policies).map(([name, policy]) => [
    name,
    { ...policy, limit: limits[name as PolicyName] ?? policy.limit },
  ]);
  return Object.fromEntries(entries) as Record<PolicyName, Policy>;
}

/** Makes the store that counts one policy; without one, the process counts in its own memory. */
export type StoreMaker = (name: PolicyName, policy: Policy) => Store;

export interface Limits {
  /** Counts a request against the policies of its operation. */
  limit: Link;
  /** Counts what is not signed in: refused tokens, unknown paths, documents. */
  limitAnonymous: Link;
}

const LOGIN = /^\/api\/(?:tracker-)?login(?:\/|$)/;
const REFRESH = '/api/refresh';

/** Which policy counts a public operation. A refresh token cannot be guessed, and whole offices share an address. */
function publicPolicy({ method, path }: Operation): 'login' | 'public' | 'anonymous' {
  if (LOGIN.test(path)) return 'login';
  return method === 'GET' || path === REFRESH ? 'anonymous' : 'public';
}

const KEYS: Record<PolicyName, (exchange: Exchange) => string> = {
  token: ({ session }) => session?.name ?? '',
  workspace: ({ session }) => session?.caller.workspace_id ?? '',
  login: ({ address }) => neighbourhood(address),
  public: ({ address }) => neighbourhood(address),
  anonymous: ({ address }) => neighbourhood(address),
};

export interface LimitOptions {
  policies: Record<PolicyName, Policy>;
  store?: StoreMaker;
  /** Whether connections are a proxy's of ours: then one is not closed for what one of its clients does. */
  keepConnections?: boolean;
  log: Log;
}

/** Makes the limiters. */
export function limits(options: LimitOptions): Limits {
  const of = (name: PolicyName) => limiter(name, options);
  const token = of('token');
  const workspace = of('workspace');
  const strangers = { login: of('login'), public: of('public'), anonymous: of('anonymous') };

  return {
    limitAnonymous: strangers.anonymous,
    limit(request, reply, next) {
      const { operation, session } = reply.locals.exchange;
      if (!session && operation) return strangers[publicPolicy(operation)](request, reply, next);
      token(request, reply, (refused?: unknown) => {
        if (refused) next(refused);
        else workspace(request, reply, next);
      });
    },
  };
}

function limiter(name: PolicyName, { policies: all, store, keepConnections = false, log }: LimitOptions): Link {
  const key = KEYS[name];
  const policy = all[name];
  const headline = `"${name}"; q=${policy.limit}; w=${policy.window_s}`;
  const count = rateLimit({
    windowMs: policy.window_s * 1_000,
    limit: policy.limit,
    requestPropertyName: name,
    // The same headers are written below: express-rate-limit hashes a partition key for each, on every request.
    standardHeaders: false,
    legacyHeaders: false,
    skipSuccessfulRequests: policy.only_failures ?? false,
    keyGenerator: (_, reply) => key((reply as Reply).locals.exchange),
    // A store that fails must not take the suite with it; the PostgreSQL store counts in memory before it comes to this.
    passOnStoreError: true,
    logger: { warn: (error) => log.warn({ err: error }), error: (error) => log.error({ err: error }) },
    handler: (request, _reply, next) => {
      const usage = (request as unknown as Partial<Record<PolicyName, RateLimitInfo>>)[name];
      next(TooManyRequests({ retry_after_s: usage ? secondsToReset(usage) : policy.window_s }));
    },
    // Its checks find mistakes in the use of Express's `request.ip`, which we do not use; they run on every request.
    validate: false,
    ...(store && { store: store(name, policy) }),
  });

  return (request, reply, next) => {
    const counted = (refused?: unknown) => {
      const usage = (request as unknown as Partial<Record<PolicyName, RateLimitInfo>>)[name];
      if (usage) announce(reply, name, headline, usage);
      if (refused instanceof Fault) refuse(reply, refused, keepConnections);
      next(refused);
    };
    void count(request, reply, counted);
  };
}

/** Adds a policy to the RateLimit fields, draft 8 of their specification: lists, so that each policy stands for itself. */
function announce(reply: Reply, name: PolicyName, headline: string, usage: RateLimitInfo): void {
  const { headers } = reply.locals.exchange;
  const left_s = secondsToReset(usage);
  const state = `"${name}"; r=${usage.remaining}; t=${left_s}`;
  const { ratelimit, 'ratelimit-policy': before } = headers;
  headers['ratelimit'] = ratelimit ? `${ratelimit}, ${state}` : state;
  headers['ratelimit-policy'] = before ? `${before}, ${headline}` : headline;
}

/** What the headers of a 429 say is what its body says. */
function refuse(reply: Reply, { details }: Fault, keepConnections: boolean): void {
  const { headers } = reply.locals.exchange;
  headers['retry-after'] = String((details as { retry_after_s: number }).retry_after_s);
  if (!keepConnections) headers['connection'] = 'close';
}

/** Whole seconds, rounded up, so that one retry then succeeds. */
function secondsToReset({ resetTime }: RateLimitInfo): number {
  const left_ms = resetTime ? resetTime.getTime() - clock.now().getTime() : 0;
  return Math.max(1, Math.ceil(left_ms / 1_000));
}
