/** Finished responses: their access log, and their formats other than JSON. */
import type { Emit } from './events.ts';
/** Facts about the request in addition to its input. */
export interface RequestMetadata {
  id: string;
  /** The client's IP address, as seen by the gateway. */
  address: string;
  user_agent: string;
  /** The token in the request, for operations that accept the service's own tokens. */
  bearer?: string;
  /** The signature headers, for operations that accept signed messages. Empty if a header is missing. */
  signatures?: { provider: string; relay: string };
  /** The origin of the calling page, for operations that are open to other sites. */
  origin?: string;
  /** The request's `Idempotency-Key`, for an operation that itself recognises repeated unauthenticated calls. */
  idempotency_key?: string;
}

/** Reads the database in a separate snapshot, which is closed when `work` ends. */
export type ReadTransaction<Db> = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Records the next steps of a saga, in a separate transaction that stays regardless of the command's outcome. */
export type WriteTransaction<Db> = <T>(work: (db: Db, emit: Emit) => Promise<T>) => Promise<T>;

/** Writes a file to the response. */
export type ResponseWriter = (response: import('node:http').ServerResponse) => Promise<void>;

/** Response formats in addition to JSON, with their media types. */
export const MEDIA = {
  pdf: 'application/pdf',
  svg: 'image/svg+xml',
  png: 'image/png',
  html: 'text/html',
  ics: 'text/calendar',
  zip: 'application/zip',
} as const;
export type Format = keyof typeof MEDIA;
export type Formats<Given> = Partial<Record<Format, (given: Given) => Promise<ResponseWriter>>>;

/** Finished response with the request that produced it. */
export interface LoggedResponse<Value, Signer, Query, Db> {
  /** The value that `handle` returned. */
  value: Value;
  /** Records of the response as the caller sees them: one record, or the rows of a page in order. Empty for a file. */
  shown: readonly object[];
  query: Query;
  caller: Signer;
  request: RequestMetadata;
  write: WriteTransaction<Db>;
}

/** Source of a PDF or an image: the record and its context. */
export interface Printing<Shown, Signer, Query, Db, Rpc>
  extends Pick<LoggedResponse<Shown, Signer, Query, Db>, 'query' | 'caller'> {
  record: Shown;
  read: ReadTransaction<Db>;
  rpc: Rpc;
  keys: import('../identity/identity.ts').Keys;
}
