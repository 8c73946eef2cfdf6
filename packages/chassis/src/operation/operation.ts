/**
 * An operation is one HTTP endpoint, declared once, as a value. Everything about an endpoint is derived from that
 * value: route, validation, types, permission, transaction, API docs, gateway route and conformance tests.
 */
import type { Outgoing } from '@suite/outbound-http';
import { z } from 'zod';
import type { Access } from './access.ts';
import type { Emit } from './events.ts';
import type {
  Formats,
  Printing,
  ReadTransaction,
  RequestMetadata,
  ResponseWriter,
  LoggedResponse,
  WriteTransaction,
} from './answering.ts';
import type { Fault, FaultMaker } from '../runtime/fault.ts';
import type { DayFields } from './date-warnings.ts';
import type { FileLinks } from '../identity/file-links.ts';
import type { StoredFile, Upload } from './files.ts';
import type { WholeMessage } from './message.ts';
import type { Storage } from '../storage/storage.ts';
import type { Caller, Keys } from '../identity/identity.ts';
import type { ListQuery, ListRequest, Page } from '../lists/list.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Route = `${HttpMethod} /api/${string}`;
export type Fields = Record<string, z.ZodType>;

/** The `{names}` in a route. */
type Variables<R extends string> = R extends `${string}{${infer Name}}${infer Rest}` ? Name | Variables<Rest> : never;

/** The schema of the path variables. `params` must name exactly the variables of the route. */
type Params<R extends Route, P> = [Variables<R>] extends [never]
  ? { params?: undefined }
  : { params: P & { [K in Variables<R>]: z.ZodType } & { [K in Exclude<keyof P, Variables<R>>]: never } };

type ParsedFields<F> =
  F extends ListQuery<infer Also>
    ? ListRequest<ParsedFields<Also>>
    : F extends Fields
      ? { [K in keyof F]: z.output<F[K]> }
      : Record<never, never>;

/** Response of an operation. `shape` describes how the handler's value is sent. */
export interface Reply<Value = unknown, Shown = unknown> {
  status: 200 | 201;
  shape: 'record' | 'page' | 'upserted' | 'repeatable' | 'stream';
  schema: z.ZodType;
  /** Media types of a file, such as `text/csv` or `image/*`. */
  media_types?: readonly string[];
  /** Cache lifetime in seconds, for responses that are the same for all users. */
  max_age_s?: number;
  /** The fields with the day of the document, for warnings about an unusual day. */
  days?: DayFields;
  /** The return type of the handler, for the compiler only. */
  readonly value?: Value;
  /** Only for the compiler: the value as sent. */
  readonly shown?: Shown;
}

/**
 * The stored type of a field. Text columns contain the words of an enumeration. The compiler sees text, and parsing the
 * response checks the words.
 */
type StoredField<T> = T extends string
  ? string
  : T extends readonly (infer E)[]
    ? StoredField<E>[]
    : T extends object
      ? { [K in keyof T]: StoredField<T[K]> }
      : T;
type ReplyInput<S extends z.ZodType> = StoredField<z.input<S>>;

/** Returns the reply for 200 with one record: `{ "data": … }`. */
export const ok = <S extends z.ZodType>(schema: S): Reply<ReplyInput<S>, z.output<S>> => {
  return { status: 200, shape: 'record', schema };
};
/** Returns the reply for 201 with the created record. */
export const created = <S extends z.ZodType>(schema: S): Reply<ReplyInput<S>> => ({
  status: 201,
  shape: 'record',
  schema,
});
/**
 * Returns the reply for 200 with a list: `{ "data": […], "meta": … }`. The handler returns the result of `paginate`.
 */
export const page = <S extends z.ZodType>(schema: S): Reply<Page> => ({ status: 200, shape: 'page', schema });
/** Returns the reply for 201 if the record was created, or 200 if it existed. */
export const upserted = <S extends z.ZodType>(schema: S): Reply<{ created: boolean; record: ReplyInput<S> }> => ({
  status: 200,
  shape: 'upserted',
  schema,
});
/** Returns the reply for 201. For a repeated request, it contains the first response, marked as repeated. */
export const repeatable = <S extends z.ZodType>(schema: S): Reply<{ repeated: boolean; record: ReplyInput<S> }> => ({
  status: 201,
  shape: 'repeatable',
  schema,
});
/**
 * Lets caches keep a response: shared caches if the operation is public, otherwise only the caller's own. Callers that
 * already have it get 304 (`If-None-Match`).
 */
export const cached = <R extends Reply>(reply: R, max_age_s: number): R => ({ ...reply, max_age_s });
/** 200 for a deleted record. The handler returns its ID. */
export const removed = ok(z.object({ id: z.string(), deleted: z.literal(true).default(true) }));
/** Returns the reply with a file of one of these media types. The handler returns the function that writes it. */
export const fileOf = (...media_types: [string, ...string[]]): Reply<ResponseWriter> => ({
  status: 200,
  shape: 'stream',
  schema: z.unknown(),
  media_types,
});
/** The reply with an uploaded file, which can be of any type. */
export const anyFile = fileOf('application/octet-stream');

type CallerOf<A> = A extends { kind: 'public' } ? Caller | null : Caller;

interface Input<A, P, Q, B> {
  params: ParsedFields<P>;
  query: ParsedFields<Q>;
  body: B extends z.ZodType ? z.output<B> : undefined;
  caller: CallerOf<A>;
  /** Uploaded files, checked and stored. They are deleted if the command fails. */
  files: StoredFile[];
  /** The version that the caller has read (`If-Match`, or `version` in the body). */
  expect: number | undefined;
  /** The expansions that `expand` or `fields` names for a single record. */
  expanded: ReadonlySet<string>;
  request: RequestMetadata;
}

/** Tools of a service in addition to its database. */
interface ServiceContext {
  /** The storage of the service's files. */
  storage: Storage;
  /** Creates and opens the short-lived links to the files. */
  links: FileLinks;
  /** The service's own keys. */
  keys: Keys;
  /** The public URL of the gateway, without a trailing slash. Links into the suite begin with it. */
  public_url: string;
}

/** Clients for other services. `rpcIn` works in a workspace that the caller is not in, without any permissions. */
type ServiceClients<Rpc> = { rpc: Rpc; rpcIn(workspace_id: string): Rpc; outgoing: Outgoing };
type PrepareContext<Db, Scope> = { read: ReadTransaction<Db> } & (Scope extends { emit: Emit }
  ? { write: WriteTransaction<Db> }
  : {
      /**
       * Works in a transaction that may write what can be derived again from other data, such as a cache. A query writes no
       * record that users know, and emits no event.
       */
      derive: ReadTransaction<Db>;
    });

type Declaration<R extends Route, A extends Access, P, Q, B, Value, Shown, Prepared, Db, Rpc, Scope> = {
  summary: string;
  description?: string;
  /** The reason why the operation exists although the specification does not list it. */
  addition?: string;
  access: A;
} & Params<R, P> & {
    query?: Q;
    body?: B;
    upload?: Upload;
    /**
     * The limits for a body that is one message, such as an e-mail. The message arrives as the only entry of `files`.
     */
    message?: WholeMessage;
    reply: Reply<Value, Shown>;
    faults?: FaultMaker[];
    /**
     * The kind of record that the operation deletes and other services refer to. These services are first asked whether
     * it is in use.
     */
    deletes?: `${string}.${string}`;
    /**
     * Runs before the transaction, for work that must not happen in it: calls other services, computes hashes, reads
     * and writes files. Its result is `prepared` in `handle`. Files that it adds to `files` are deleted if the command
     * fails.
     */
    prepare?(
      input: Input<A, P, Q, B> & ServiceContext & ServiceClients<Rpc> & PrepareContext<Db, Scope>,
    ): Promise<Prepared>;
    /**
     * Handles the request. A thrown fault rolls everything back. A returned fault keeps the writes (a failed login is
     * logged).
     */
    handle(
      input: Input<A, P, Q, B> & ServiceContext & { db: Db; prepared: Prepared } & Scope,
    ): NoInfer<Value> | Fault | Promise<NoInfer<Value> | Fault>;
    /**
     * Records the access log of a query, if reading must leave a trace. Runs in a separate transaction, after the
     * response is ready and before it is sent. If the access cannot be recorded, the response is not sent.
     */
    auditAccess?: Scope extends { emit: Emit }
      ? never
      : (answer: LoggedResponse<Value, CallerOf<A>, ParsedFields<Q>, Db>) => Promise<unknown>;
    /**
     * The same record in other formats, for a query whose caller prefers one (`Accept: application/pdf`). Each function
     * gets what the response would show, after `handle`'s snapshot is closed. It may therefore call other services, and
     * runs only on request.
     */
    formats?: Scope extends { emit: Emit } ? never : Formats<Printing<Shown, CallerOf<A>, ParsedFields<Q>, Db, Rpc>>;
  };

type Declare<Db, Rpc, Scope> = <
  const R extends Route,
  const A extends Access,
  P extends Fields,
  Q extends Fields | ListQuery,
  B extends z.ZodType,
  Value,
  Shown,
  Prepared = undefined,
>(
  route: R,
  declaration: Declaration<R, A, P, Q, B, Value, Shown, Prepared, Db, Rpc, Scope>,
) => Operation;

/** An operation without its types. */
export interface Operation {
  kind: 'query' | 'command';
  method: HttpMethod;
  /** The path in the notation of the specification, including braces. */
  path: string;
  /** The plan module that must be enabled, if any. */
  module: string | undefined;
  summary: string;
  description?: string;
  addition?: string;
  access: Access;
  params?: Fields;
  query?: Fields | ListQuery;
  body?: z.ZodType;
  upload?: Upload;
  message?: WholeMessage;
  reply: Reply;
  faults?: FaultMaker[];
  deletes?: string;
  prepare?(input: object): Promise<unknown>;
  handle(input: object): unknown;
  auditAccess?(answer: object): Promise<unknown>;
  formats?: Formats<never>;
}

const verb =
  (kind: Operation['kind'], module: string | undefined) =>
  (route: string, declaration: object): Operation => {
    const [method, path] = route.split(' ');
    return { kind, method, path, module, ...declaration } as Operation;
  };

/**
 * Returns `query` and `command` of a service, typed for its database and bound to the plan module of its endpoints. A
 * `query` reads in a read-only snapshot. A `command` writes in one transaction and may emit events.
 */
export function operations<Db, Rpc = Record<never, never>>({ module }: { module?: string } = {}) {
  return {
    query: verb('query', module) as unknown as Declare<Db, Rpc, Record<never, never>>,
    command: verb('command', module) as unknown as Declare<Db, Rpc, { emit: Emit }>,
  };
}

/** Returns the same operation under a second route: an app route without a rule of its own. */
export function withRoute(operation: Operation, route: Route): Operation {
  const [method, path] = route.split(' ') as [HttpMethod, string];
  return { ...operation, method, path };
}
