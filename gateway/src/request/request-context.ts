/** State of a request in the chain. */
import type { ClientRequest } from 'node:http';
import type { Caller } from '@suite/chassis/gateway';
import type { NextFunction, Request, Response } from 'express';
import type { Operation } from './routing.ts';

/** Service tokens signed for one caller, by service. */
export type ServiceTokens = Map<string, { bearer: string; reusable_until: number }>;

/** Part of a session that depends on the workspace's subscription. */
export interface SubscriptionState {
  /** Status as named by payment providers. Empty without a subscription. */
  status: string;
  /** Time at which the caller's modules next change. */
  until: Date | undefined;
  /** Requests a minute that the plan allows the workspace. Undefined for the published limit. */
  api_rpm: number | undefined;
}

/** Authenticated caller. */
export interface RequestSession {
  caller: Caller;
  /** Session ID or API key hash: the key for rate limits. */
  rate_limit_key: string;
  subscription: SubscriptionState;
  service_tokens: ServiceTokens;
}

export interface RequestContext {
  /** ID of the request in responses, log lines and services. */
  id: string;
  traceparent: string;
  /** The client's address, as reported by the proxies that we trust. */
  address: string;
  /** Start time in milliseconds, on the monotonic clock. */
  started: number;
  /** Path without the query. */
  path: string;
  operation: Operation | undefined;
  /** Session of the caller. Null for public operations. */
  session: RequestSession | null;
  /** Upstream that the request was forwarded to. */
  upstream: { release(reply: GatewayReply): void } | undefined;
  /** Consumers of the service's capacity that the request counts for. Empty before it enters the bulkhead. */
  consumers: readonly { name: string; weight: number }[];
  /** The place in the bulkhead where the request runs or waits. */
  place: { isWaiting(): boolean; leave(): void } | undefined;
  /** Body that was read before forwarding, with the function that frees its memory. */
  body: Buffer | undefined;
  discardBody: (() => void) | undefined;
  /** Ends the use of the capacity for downloads. */
  endDownload: (() => void) | undefined;
  /** Timer that ends a slow upload. */
  upload_watch: NodeJS.Timeout | undefined;
  /** Request to the service, after the connection is open. */
  outgoing: ClientRequest | undefined;
  /** Timer that ends the request if the service takes too long. */
  deadline: NodeJS.Timeout | undefined;
  /** Time of the deadline, by `performance.now()`. */
  ends_at: number | undefined;
  retried: boolean;
  /** The gateway's own response headers. They are written together, because Node validates each header that is set. */
  headers: Record<string, string>;
}

export type GatewayReply = Response<unknown, { context: RequestContext }>;

/** Step of the middleware chain. */
export type Middleware = (request: Request, reply: GatewayReply, next: NextFunction) => void;

/** Returns the fields of every log line about a request. */
export const logFields = ({ id, traceparent }: RequestContext): { request_id: string; trace_id: string } => ({
  request_id: id,
  trace_id: traceparent.slice(3, 35),
});
