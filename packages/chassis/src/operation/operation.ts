/**
 * An operation is one HTTP endpoint, declared once, as a value. Everything that must agree about an endpoint (route,
 * validation, types, permission, transaction, document, gateway route, conformance tests) is read from that value.
 */
import type { Outgoing } from '@suite/outgoing';
import { z } from 'zod';
import type { Access } from './access.ts';
import type { Emit } from './events.ts';
import type { Formats, Printing, Read, RequestFacts, Send, Witnessed, Write } from './answering.ts';
import type { Fault, FaultMaker } from '../runtime/fault.ts';
import type { FileLinks } from '../identity/file-links.ts';
import type { StoredFile, Upload } from './files.ts';
import type { WholeMessage } from './message.ts';
import type { Storage } from './storage.ts';
import type { Caller, Keys } from '../identity/identity.ts';
import type { ListQuery, ListRequest, Page } from '../lists/list.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Route = `${Method} /api/${string}`;
export type Fields = Record<string, z.ZodType>;

/** The `{names}` in a route. */
type Variables<R extends string> = R extends `${string}{${infer Name}}${infer Rest}` ? Name | Variables<Rest> : never;

/** `params` must name exactly the variables of the route: none missing, none extra. */
type Params<R extends Route, P> = [Variables<R>] extends [never]
  ? { params?: undefined }
  : { params: P & { [K in Variables<R>]: z.ZodType } & { [K in Exclude<keyof P, Variables<R>>]: never } };

type Parsed<F> =
  F extends ListQuery<infer Also>
    ? ListRequest<Parsed<Also>>
    : F extends Fields
      ? { [K in keyof F]: z.output<F[K]> }
      : Record<never, never>;

/** How an operation answers. `shape` says what the handler's value becomes on the wire. */
export interface Reply<Value = unknown, Shown = unknown> {
  status: 200 | 201;
  shape: 'record' | 'page' | 'upserted' | 'repeatable' | 'stream';
  schema: z.ZodType;
  /** How long caches may keep it, for what is the same for everybody. */
  max_age_s?: number;
  /** Only for the compiler: what the handler must return. */
  readonly value?: Value;
  /** Only for the compiler: what becomes of it on the wire. */
  readonly shown?: Shown;
}

/** Text columns hold the words of an enumeration: the compiler sees text, and parsing the reply checks the words. */
type Stored<T> = T extends string
  ? string
  : T extends readonly (infer E)[]
    ? Stored<E>[]
    : T extends object
      ? { [K in keyof T]: Stored<T[K]> }
      : T;
type ReplyInput<S extends z.ZodType> = Stored<z.input<S>>;

/** 200 with one record: `{ "data": … }`. */
export const ok = <S extends z.ZodType>(schema: S): Reply<ReplyInput<S>, z.output<S>> => {
  return { status: 200, shape: 'record', schema };
};
/** 201 with the record that was made. */
export const created = <S extends z.ZodType>(schema: S): Reply<ReplyInput<S>> => ({
  status: 201,
  shape: 'record',
  schema,
});
/** 200 with a list: `{ "data": […], "meta": … }`; the handler returns what `paginate` returned. */
export const page = <S extends z.ZodType>(schema: S): Reply<Page> => ({ status: 200, shape: 'page', schema });
/** 201 when the record was made, 200 when it was there. */
export const upserted = <S extends z.ZodType>(schema: S): Reply<{ created: boolean; record: ReplyInput<S> }> => ({
  status: 200,
  shape: 'upserted',
  schema,
});
/** 201 also when the same was sent before: the first answer again, marked as a repeated one. */
export const repeatable = <S extends z.ZodType>(schema: S): Reply<{ repeated: boolean; record: ReplyInput<S> }> => ({
  status: 201,
  shape: 'repeatable',
  schema,
});
/** Lets caches keep an answer: those of everybody where it is public, else the caller's own. Whoever has it already is told so (`If-None-Match`). */
export const cached = <R extends Reply>(reply: R, max_age_s: number): R => ({ ...reply, max_age_s });
/** 200 for a record that is gone; the handler returns its id. */
export const removed = ok(z.object({ id: z.string(), deleted: z.literal(true).default(true) }));
/** A file; the handler returns the function that writes it. */
export const stream: Reply<Send> = { status: 200, shape: 'stream', schema: z.unknown() };

type Signed<A> = A extends { kind: 'public' } ? Caller | null : Caller;

interface Input<A, P, Q, B> {
  params: Parsed<P>;
  query: Parsed<Q>;
  body: B extends z.ZodType ? z.output<B> : undefined;
  caller: Signed<A>;
  /** Uploaded files, checked and stored; they vanish again when the command fails. */
  files: StoredFile[];
  /** The version that the caller has seen (`If-Match`, or `version` in the body). */
  expect: number | undefined;
  /** The expansions that `expand` or `fields` names where one record is shown. */
  expanded: ReadonlySet<string>;
  request: RequestFacts;
}

/** The tools of a service beside its database. */
interface ServiceContext {
  /** The storage of its files. */
  storage: Storage;
  /** Makes and opens the short-lived links to them. */
  links: FileLinks;
  /** Its own keys. */
  keys: Keys;
  /** The gateway's address as users see it, without a slash at the end: links into the suite begin with it. */
  public_url: string;
}

/** The way to others; `rpcIn` speaks in a workspace that the caller is not in, with nobody's rights. */
type Others<Rpc> = { rpc: Rpc; rpcIn(workspace_id: string): Rpc; outgoing: Outgoing };
type Before<Db, Scope> = { read: Read<Db> } & (Scope extends { emit: Emit } ? { write: Write<Db> } : unknown);

type Declaration<R extends Route, A extends Access, P, Q, B, Value, Shown, Prepared, Db, Rpc, Scope> = {
  summary: string;
  description?: string;
  access: A;
} & Params<R, P> & {
    query?: Q;
    body?: B;
    upload?: Upload;
    /** The whole body is one message, such as an e-mail; it arrives as the only one of `files`. */
    message?: WholeMessage;
    reply: Reply<Value, Shown>;
    faults?: FaultMaker[];
    /** The kind of record that it deletes and other services refer to: they are asked first whether it is in use. */
    deletes?: `${string}.${string}`;
    /**
     * Does what must not happen inside the transaction: asks other services, hashes, reads and writes files. Its result
     * arrives in `handle` as `prepared`; files that it adds to `files` vanish when the command fails.
     */
    prepare?(input: Input<A, P, Q, B> & ServiceContext & Others<Rpc> & Before<Db, Scope>): Promise<Prepared>;
    /** A fault that is thrown undoes everything; one that is returned keeps what was written (a failed login is logged). */
    handle(
      input: Input<A, P, Q, B> & ServiceContext & { db: Db; prepared: Prepared } & Scope,
    ): NoInfer<Value> | Fault | Promise<NoInfer<Value> | Fault>;
    /**
     * Writes down what a query shows, where reading it is to leave a trace: in a transaction of its own, when the answer is
     * ready and before it leaves. What cannot be written down is shown to nobody.
     */
    witness?: Scope extends { emit: Emit }
      ? never
      : (answer: Witnessed<Value, Signed<A>, Parsed<Q>, Db>) => Promise<unknown>;
    /**
     * The same record in other forms, for a query whose caller prefers one (`Accept: application/pdf`). It is given what the
     * answer would show, after `handle`'s snapshot is closed: so it may ask other services, and nothing is asked for nobody.
     */
    formats?: Scope extends { emit: Emit } ? never : Formats<Printing<Shown, Signed<A>, Parsed<Q>, Db, Rpc>>;
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

/** A declaration without its types. */
export interface Operation {
  kind: 'query' | 'command';
  method: Method;
  /** In the specification's own notation, braces included. */
  path: string;
  /** The plan module that must be on, if any. */
  module: string | undefined;
  summary: string;
  description?: string;
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
  witness?(answer: object): Promise<unknown>;
  formats?: Formats<never>;
}

const verb =
  (kind: Operation['kind'], module: string | undefined) =>
  (route: string, declaration: object): Operation => {
    const [method, path] = route.split(' ');
    return { kind, method, path, module, ...declaration } as Operation;
  };

/**
 * The two verbs of a service, bound to its database and to the plan module that its endpoints belong to.
 * A `query` reads, in a read-only snapshot; a `command` writes, in one transaction, and may emit events.
 */
export function operations<Db, Rpc = Record<never, never>>({ module }: { module?: string } = {}) {
  return {
    query: verb('query', module) as unknown as Declare<Db, Rpc, Record<never, never>>,
    command: verb('command', module) as unknown as Declare<Db, Rpc, { emit: Emit }>,
  };
}

/** The same operation under a second route: an app route that has no rule of its own. */
export function sameAs(operation: Operation, route: Route): Operation {
  const [method, path] = route.split(' ') as [Method, string];
  return { ...operation, method, path };
}
