/** Rate limits: each response names the policies that counted its request, in RateLimit headers. */
import { clock, Fault, type Log, TooManyRequests } from '@suite/chassis/gateway';
import { type RateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import type { Middleware, Reply, RequestContext } from '../request/request-context.ts';
import type { Operation } from '../request/routing.ts';
import { subnetOf } from './addresses.ts';
import type { Policy, PolicyName } from './policies.ts';

/** Makes the store that counts one policy; without one, the process counts in its own memory. */
export type StoreFactory = (name: PolicyName, policy: Policy) => Store;

export interface RateLimits {
  /** Counts a request against the policies of its operation. */
  limit: Middleware;
  /** Counts a request without a session: refused tokens, unknown paths, documents. */
  limitAnonymous: Middleware;
}

const LOGIN = /^\/api\/(?:tracker-)?login(?:\/|$)/;
const REFRESH = '/api/refresh';

/** The policy for a public operation. A refresh token cannot be guessed, and whole offices share an address. */
function publicPolicy({ method, path }: Operation): 'login' | 'public' | 'anonymous' {
  if (LOGIN.test(path)) return 'login';
  return method === 'GET' || path === REFRESH ? 'anonymous' : 'public';
}

const KEYS: Record<PolicyName, (context: RequestContext) => string> = {
  token: ({ session }) => session?.rate_limit_key ?? '',
  workspace: ({ session }) => session?.caller.workspace_id ?? '',
  login: ({ address }) => subnetOf(address),
  public: ({ address }) => subnetOf(address),
  anonymous: ({ address }) => subnetOf(address),
};

export interface RateLimitOptions {
  policies: Record<PolicyName, Policy>;
  store?: StoreFactory;
  /** Connections come from our own proxy, so none is closed because of one client. */
  keepConnections?: boolean;
  log: Log;
}

/** Makes the limiters. */
export function rateLimits(options: RateLimitOptions): RateLimits {
  const limiterOf = (name: PolicyName) => limiter(name, options);
  const token = limiterOf('token');
  const workspace = limiterOf('workspace');
  const byAddress = { login: limiterOf('login'), public: limiterOf('public'), anonymous: limiterOf('anonymous') };

  return {
    limitAnonymous: byAddress.anonymous,
    limit(request, reply, next) {
      const { operation, session } = reply.locals.context;
      if (!session && operation) return byAddress[publicPolicy(operation)](request, reply, next);
      token(request, reply, (refused?: unknown) => {
        if (refused) next(refused);
        else workspace(request, reply, next);
      });
    },
  };
}

function limiter(name: PolicyName, { policies, store, keepConnections = false, log }: RateLimitOptions): Middleware {
  const key = KEYS[name];
  const policy = policies[name];
  const policyField = `"${name}"; q=${policy.limit}; w=${policy.window_s}`;
  const count = rateLimit({
    windowMs: policy.window_s * 1_000,
    limit: policy.limit,
    requestPropertyName: name,
    // The same headers are written below: express-rate-limit hashes a partition key for each, on every request.
    standardHeaders: false,
    legacyHeaders: false,
    skipSuccessfulRequests: policy.only_failures ?? false,
    keyGenerator: (_, reply) => key((reply as Reply).locals.context),
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
      if (usage) addRateLimitHeaders(reply, name, policyField, usage);
      if (refused instanceof Fault) addRetryAfter(reply, refused, keepConnections);
      next(refused);
    };
    void count(request, reply, counted);
  };
}

/** Adds a policy to the RateLimit fields, draft 8 of their specification: lists, with one entry for each policy. */
function addRateLimitHeaders(reply: Reply, name: PolicyName, policyField: string, usage: RateLimitInfo): void {
  const { headers } = reply.locals.context;
  const state = `"${name}"; r=${usage.remaining}; t=${secondsToReset(usage)}`;
  const { ratelimit, 'ratelimit-policy': before } = headers;
  headers['ratelimit'] = ratelimit ? `${ratelimit}, ${state}` : state;
  headers['ratelimit-policy'] = before ? `${before}, ${policyField}` : policyField;
}

/** Gives a 429 the `Retry-After` that its body says. */
function addRetryAfter(reply: Reply, { details }: Fault, keepConnections: boolean): void {
  const { headers } = reply.locals.context;
  headers['retry-after'] = String((details as { retry_after_s: number }).retry_after_s);
  if (!keepConnections) headers['connection'] = 'close';
}

/** Whole seconds, rounded up, so that one retry then succeeds. */
function secondsToReset({ resetTime }: RateLimitInfo): number {
  const left_ms = resetTime ? resetTime.getTime() - clock.now().getTime() : 0;
  return Math.max(1, Math.ceil(left_ms / 1_000));
}
