/** Answers that are ready: it is written down to whom they were shown, and they take other forms than JSON. */
import type { Emit } from './events.ts';
/** The request, beside its input. */
export interface RequestFacts {
  id: string;
  /** The client's address, as the gateway saw it. */
  address: string;
  user_agent: string;
  /** The token of an operation that is open to bearers of the service's own tokens. */
  bearer?: string;
  /** The signatures of an operation that is open to signed messages, as they came; empty where there was none. */
  signatures?: { provider: string; relay: string };
  /** The origin of the page whose script calls an operation that is open to sites. */
  origin?: string;
  /** Its `Idempotency-Key`, for an operation that knows repeated calls of strangers by itself. */
  idempotency_key?: string;
}

/** Looks into the database in a snapshot of its own, which is closed when `work` ends. */
export type Read<Db> = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Notes down, in a transaction of its own that stays whatever becomes of the command, what a saga is about to do. */
export type Write<Db> = <T>(work: (db: Db, emit: Emit) => Promise<T>) => Promise<T>;

/** Writes a file to the answer. */
export type Send = (response: import('node:http').ServerResponse) => Promise<void>;

/** The forms of an answer beside JSON, with their media types. */
export const MEDIA = {
  pdf: 'application/pdf',
  svg: 'image/svg+xml',
  png: 'image/png',
  html: 'text/html',
  ics: 'text/calendar',
  zip: 'application/zip',
} as const;
export type Format = keyof typeof MEDIA;
export type Formats<Given> = Partial<Record<Format, (given: Given) => Promise<Send>>>;

/** An answer that is ready, and how it came about. */
export interface Witnessed<Value, Signer, Query, Db> {
  /** The value that `handle` returned. */
  value: Value;
  /** The records of the answer, as the caller is shown them: one, or those of a page in its order; none for a file. */
  shown: readonly object[];
  query: Query;
  caller: Signer;
  request: RequestFacts;
  write: Write<Db>;
}

/** The record and the context that a letter or a picture is made from. */
export interface Printing<Shown, Signer, Query, Db, Rpc>
  extends Pick<Witnessed<Shown, Signer, Query, Db>, 'query' | 'caller'> {
  record: Shown;
  read: Read<Db>;
  rpc: Rpc;
  keys: import('../identity/identity.ts').Keys;
}
