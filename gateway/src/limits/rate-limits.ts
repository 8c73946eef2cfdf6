/** Rate limits. RateLimit headers in each response name the policies that counted its request. */
import { clock, type Log, TooManyRequests } from '@suite/chassis/gateway';
import { type ClientRateLimitInfo, MemoryStore, type Options, type Store } from 'express-rate-limit';
import { isPart } from '../inner/inner-request.ts';
import type { Middleware, GatewayReply, RequestContext } from '../request/request-context.ts';
import type { Operation } from '../request/routing.ts';
import { subnetOf } from './addresses.ts';
import type { RateLimit, PolicyName } from './policies.ts';

/** Creates the store of one policy. Without a store, the process counts in its own memory. */
export type StoreFactory = (name: PolicyName, policy: RateLimit) => Store;

export interface RateLimits {
  /** Counts a request against the policies of its operation. */
  limit: Middleware;
  /** Counts a request without a session: rejected tokens, unknown paths, API docs. */
  limitAnonymous: Middleware;
}

const LOGIN = /^\/api\/(?:tracker-)?login(?:\/|$)/;
const REFRESH = '/api/refresh';

/** Policies that count by address. */
type PublicPolicy = Exclude<PolicyName, 'token' | 'workspace' | 'instance' | 'unsigned'>;

/**
 * Returns the policy for a public operation. Neither refresh tokens nor tokens that a service checks itself can be
 * guessed. Whole offices share an address, and all inbound e-mails of a workspace come from one address.
 */
function publicPolicy({ method, path, bearer, link, limit }: Operation): PublicPolicy {
  if (LOGIN.test(path)) return 'login';
  if (limit) return limit;
  if (link) return 'link';
  return method === 'GET' || path === REFRESH || bearer ? 'anonymous' : 'public';
}

const KEYS: Record<PolicyName, (context: RequestContext) => string> = {
  token: ({ session }) => session?.rate_limit_key ?? '',
  workspace: ({ session }) => session?.caller.workspace_id ?? '',
  login: ({ address }) => subnetOf(address),
  link: ({ address }) => subnetOf(address),
  plans: ({ address }) => subnetOf(address),
  badge: ({ address }) => subnetOf(address),
  widget: ({ address }) => subnetOf(address),
  reports: ({ address }) => subnetOf(address),
  public: ({ address }) => subnetOf(address),
  instance: ({ session }) => session?.caller.instance?.id ?? '',
  unsigned: ({ address }) => subnetOf(address),
  anonymous: ({ address }) => subnetOf(address),
};

/** Policies whose published limit a workspace's plan may lower. */
const PLANNED: Partial<Record<PolicyName, (context: RequestContext) => number | undefined>> = {
  workspace: ({ session }) => session?.subscription.api_rpm,
};

export interface RateLimitOptions {
  policies: Record<PolicyName, RateLimit>;
  store?: StoreFactory;
  /** True if connections come from our own proxy. They are not closed because of one client. */
  keepConnections?: boolean;
  log: Log;
}

/** Creates the limiters. */
export function rateLimits(options: RateLimitOptions): RateLimits {
  const limiterOf = (name: PolicyName) => limiter(name, options);
  const token = limiterOf('token');
  const workspace = limiterOf('workspace');
  const instance = limiterOf('instance');
  const unsigned = limiterOf('unsigned');
  const byAddress = {
    login: limiterOf('login'),
    link: limiterOf('link'),
    plans: limiterOf('plans'),
    badge: limiterOf('badge'),
    widget: limiterOf('widget'),
    reports: limiterOf('reports'),
    public: limiterOf('public'),
    anonymous: limiterOf('anonymous'),
  };

  return {
    limitAnonymous: byAddress.anonymous,
    limit(request, reply, next) {
      if (isPart(request)) return next();
      const { operation, session } = reply.locals.context;
      if (!session && operation) {
        const limited = byAddress[publicPolicy(operation)];
        if (!operation.signed) return limited(request, reply, next);
        return unsigned(request, reply, (refused?: unknown) =>
          refused ? next(refused) : limited(request, reply, next),
        );
      }
      if (session?.caller.instance) return instance(request, reply, next);
      token(request, reply, (refused?: unknown) => {
        if (refused) next(refused);
        else workspace(request, reply, next);
      });
    },
  };
}

/**
 * Counts in a store of express-rate-limit, without its middleware. The middleware adds seven microtask ticks and hashes
 * a partition key for each header.
 */
function limiter(
  name: PolicyName,
  { policies, store: make, keepConnections = false, log }: RateLimitOptions,
): Middleware {
  const keyOf = KEYS[name];
  const policy = policies[name];
  const { limit: published, only_failures } = policy;
  const planned = PLANNED[name];
  const fieldOf = (limit: number) => `"${name}"; q=${limit}; w=${policy.window_s}`;
  const publishedField = fieldOf(published);
  const store = make?.(name, policy) ?? memoryStore(policy);
  // A failing store must not stop the suite. The PostgreSQL store already falls back to memory.
  const onError = (error: unknown) => log.error({ err: error }, 'Rate-limit store failed');
  const count = (key: string) =>
    only_failures === 'afterwards' ? countedNext(store, key, policy) : store.increment(key);

  return (_request, reply, next) => {
    const { context } = reply.locals;
    const key = keyOf(context);
    const limit = Math.min(published, planned?.(context) ?? published);
    const policyField = limit === published ? publishedField : fieldOf(limit);
    const onCount = (usage: ClientRateLimitInfo) => {
      const reset_s = secondsToReset(usage);
      addRateLimitHeaders(reply, { name, policyField, remaining: Math.max(limit - usage.totalHits, 0), reset_s });
      if (only_failures === 'at_once') uncountSuccess(reply, () => store.decrement(key), usage.resetTime, onError);
      if (usage.totalHits <= limit) {
        if (only_failures === 'afterwards') countRefusal(reply, () => store.increment(key), onError);
        return next();
      }
      addRetryAfter(reply, reset_s, keepConnections);
      next(TooManyRequests({ retry_after_s: reset_s, ...(limit < published && { limit: 'api_rpm', allowed: limit }) }));
    };
    const onFailure = (error: unknown) => {
      onError(error);
      next();
    };
    Promise.resolve(count(key)).then(onCount, onFailure).catch(next);
  };
}

/** Creates a store of express-rate-limit that counts in this process only. */
function memoryStore({ window_s }: RateLimit): Store {
  const store = new MemoryStore();
  store.init({ windowMs: window_s * 1_000 } as Options);
  return store;
}

/** Returns the count after one more request. */
async function countedNext(store: Store, key: string, { window_s }: RateLimit): Promise<ClientRateLimitInfo> {
  const { totalHits, resetTime = new Date(clock.now().getTime() + window_s * 1_000) } = (await store.get?.(key)) ?? {
    totalHits: 0,
  };
  return { totalHits: totalHits + 1, resetTime };
}

/** Counts a request that was rejected for its contents, but not one rejected for overload. */
function countRefusal(reply: GatewayReply, increment: () => unknown, onError: (error: unknown) => void): void {
  reply.once('finish', () => {
    const { statusCode } = reply;
    if (statusCode >= 400 && statusCode < 500 && statusCode !== TooManyRequests.status)
      Promise.resolve(increment()).catch(onError);
  });
}

/** Removes a successful request from the count, unless its window is over. */
function uncountSuccess(
  reply: GatewayReply,
  uncount: () => Promise<void> | void,
  resetTime: Date | undefined,
  onError: (error: unknown) => void,
): void {
  const ends = resetTime?.getTime() ?? Number.POSITIVE_INFINITY;
  reply.once('finish', () => {
    if (reply.statusCode < 400 && clock.now().getTime() < ends) Promise.resolve(uncount()).catch(onError);
  });
}

/** Adds a policy to the RateLimit fields of draft 8: lists with one entry for each policy. */
function addRateLimitHeaders(
  reply: GatewayReply,
  counted: { name: PolicyName; policyField: string; remaining: number; reset_s: number },
): void {
  const { headers } = reply.locals.context;
  const { name, policyField, remaining, reset_s } = counted;
  const state = `"${name}"; r=${remaining}; t=${reset_s}`;
  const { ratelimit, 'ratelimit-policy': before } = headers;
  headers['ratelimit'] = ratelimit ? `${ratelimit}, ${state}` : state;
  headers['ratelimit-policy'] = before ? `${before}, ${policyField}` : policyField;
}

/** Sets `Retry-After` of a 429 to the value in its body. */
function addRetryAfter(reply: GatewayReply, retry_after_s: number, keepConnections: boolean): void {
  const { headers } = reply.locals.context;
  headers['retry-after'] = String(retry_after_s);
  if (!keepConnections) headers['connection'] = 'close';
}

/** Rounds up to whole seconds, so that one retry then succeeds. */
function secondsToReset({ resetTime }: ClientRateLimitInfo): number {
  const left_ms = resetTime ? resetTime.getTime() - clock.now().getTime() : 0;
  return Math.max(1, Math.ceil(left_ms / 1_000));
}
