/** The state of one request while it passes through the chain. */
import type { ClientRequest } from 'node:http';
import type { Caller } from '@suite/chassis/gateway';
import type { NextFunction, Request, Response } from 'express';
import type { Operation } from './routing.ts';

/** The service tokens that were signed for one caller, by service. */
export type ServiceTokens = Map<string, { bearer: string; reusable_until: number }>;

/** The part of a session that depends on what is paid for the workspace. */
export interface SubscriptionState {
  /** In the words of payment providers; empty where nothing is paid for. */
  status: string;
  /** The instant from which the caller's modules are others. */
  until: Date | undefined;
  /** The requests a minute that the plan allows the workspace; undefined for as many as others have. */
  api_rpm: number | undefined;
}

/** A caller who is signed in. */
export interface Session {
  caller: Caller;
  /** The session's id or the API key's hash; rate limits count by it. */
  rate_limit_key: string;
  subscription: SubscriptionState;
  service_tokens: ServiceTokens;
}

export interface RequestContext {
  /** Names the request in the answer, in every log line and in the services. */
  id: string;
  traceparent: string;
  /** The client's address, as far as we trust the proxies in front of us. */
  address: string;
  /** Milliseconds on the monotonic clock. */
  started: number;
  /** Without the query. */
  path: string;
  operation: Operation | undefined;
  /** Null on public operations. */
  session: Session | null;
  /** The upstream that the request was forwarded to. */
  upstream: { release(reply: Reply): void } | undefined;
  /** Where the request runs or waits. */
  place: { isWaiting(): boolean; leave(): void } | undefined;
  /** A body that was read before the request was forwarded, and the function that frees its memory. */
  body: Buffer | undefined;
  discardBody: (() => void) | undefined;
  /** Ends an upload that arrives too slowly. */
  upload_watch: NodeJS.Timeout | undefined;
  /** The request to the service, once it has a connection. */
  outgoing: ClientRequest | undefined;
  /** Ends the request when the service takes too long. */
  deadline: NodeJS.Timeout | undefined;
  /** The time of that, by `performance.now()`. */
  ends_at: number | undefined;
  retried: boolean;
  /** The gateway's own response headers. Written all at once, because Node validates each header that is set. */
  headers: Record<string, string>;
}

export type Reply = Response<unknown, { context: RequestContext }>;

/** One step of the chain. */
export type Middleware = (request: Request, reply: Reply, next: NextFunction) => void;

/** The fields that every log line about a request carries. */
export const logFields = ({ id, traceparent }: RequestContext): { request_id: string; trace_id: string } => ({
  request_id: id,
  trace_id: traceparent.slice(3, 35),
});
