/** What the gateway knows about one request while it passes through the chain. */
import type { ClientRequest } from 'node:http';
import type { Caller } from '@suite/chassis/gateway';
import type { NextFunction, Request, Response } from 'express';
import type { Operation } from './routing.ts';

/** The tokens made for one caller, by service. */
export type InwardTokens = Map<string, { bearer: string; fresh_until: number }>;

/** A caller who is signed in, and the identity tokens that were made for them. */
export interface Session {
  caller: Caller;
  /** Names the session or API key to the rate limits. */
  name: string;
  inward: InwardTokens;
}

export interface Exchange {
  /** Names the request in the answer, in every log line and in the services. */
  id: string;
  traceparent: string;
  /** Where the request comes from, as far as we trust the proxies in front of us. */
  address: string;
  /** Milliseconds on the monotonic clock. */
  started: number;
  /** Without the query. */
  path: string;
  operation: Operation | undefined;
  /** Null on public operations. */
  session: Session | null;
  /** Where the request went. */
  upstream: { leave(reply: Reply): void } | undefined;
  /** What was read of the request before it was passed on, and how to let go of it. */
  body: Buffer | undefined;
  forgetBody: (() => void) | undefined;
  /** Ends an upload that comes too slowly. */
  pace: NodeJS.Timeout | undefined;
  /** The request to the service, once it has a connection. */
  outgoing: ClientRequest | undefined;
  /** The end of our patience with the service. */
  deadline: NodeJS.Timeout | undefined;
  retried: boolean;
  /** What the gateway says in the answer's head, whoever writes it. Collected, because Node checks each it is given. */
  headers: Record<string, string>;
}

export type Reply = Response<unknown, { exchange: Exchange }>;

/** One link of the chain. */
export type Link = (request: Request, reply: Reply, next: NextFunction) => void;

/** What every line of the log about a request carries. */
export const namesOf = ({ id, traceparent }: Exchange): { request_id: string; trace_id: string } => ({
  request_id: id,
  trace_id: traceparent.slice(3, 35),
});
