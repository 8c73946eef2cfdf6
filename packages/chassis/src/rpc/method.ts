/**
 * A method is one gRPC method, declared once, as a value, like an operation. Whoever calls, what is sent, in which
 * transaction it is answered and how its dry run is done are read from that value.
 */
import { z } from 'zod';
import type { TsProtoServiceDefinition } from 'nice-grpc';
import type { Database } from '../database/database.ts';
import { perform } from '../database/perform.ts';
import type { Emit } from '../operation/events.ts';
import type { Storage } from '../operation/storage.ts';
import { Fault, type FaultMaker, Forbidden, invalid, Unauthenticated } from '../runtime/fault.ts';
import type { Caller, Keys } from '../identity/identity.ts';
import { answeredBefore, fingerprintOf, KeyReused, KeyReversed, onceForKey, undoKey } from './keys.ts';
import type { RpcContext, ServedRpc } from './rpc.ts';

/** A method in the code that ts-proto generates: what is sent, and what is answered. */
interface Definition<Request, Answer> {
  name: string;
  requestType: { decode(input: Uint8Array): Request };
  responseType: { fromPartial(answer: never): Answer };
}
type Answered<D> = D extends { responseType: { fromPartial(answer: infer Partial): unknown } } ? Partial : never;
type Sent<D> = D extends Definition<infer Request, unknown> ? Request : never;

/**
 * Access to a method: for another service on behalf of somebody; the same, and for a service by itself that settles what
 * somebody had asked for; or for somebody who is not known yet, to the gateway alone or to any service that a stranger asks.
 */
export type MethodAccess = 'caller' | 'settling' | Bare<never, never, never>['access'];

interface Known<Db> {
  caller: Caller;
  storage: Storage;
  /** Looks into the caller's workspace in a snapshot of its own. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

interface Common<Input> {
  summary: string;
  /** `caller` where nothing is said. */
  access?: 'caller' | 'settling';
  /** The services that may call the method. Required, so that no method is open to services that do not need it. */
  only: readonly string[];
  /** The schema of the request; without one, the request is taken as it came. */
  input?: z.ZodType<Input>;
  faults?: FaultMaker[];
  /**
   * The caller with the rights that the request says he has now, for a service that is trusted to say so: only those that
   * `only` names may ask. The user and the workspace are those that the call names.
   */
  actingAs?(input: NoInfer<Input>, caller: Caller): Caller;
}

/** A method that only looks. */
interface Look<D, Input, Db, Prepared> extends Common<Input> {
  idempotent?: never;
  /** Whether rows are answered as the caller sees them, and not as they are. */
  visible?: true;
  prepare?(given: Known<Db> & { input: NoInfer<Input> }): Promise<Prepared>;
  handle(given: { db: Db; input: NoInfer<Input>; caller: Caller; prepared: Prepared }): Promise<Answered<D>>;
}

/** Makes a fingerprint of a secret from which nobody can read the secret. */
type Seal = (secret: object) => string;

/** A method that changes something, once for each key. */
interface Effect<D, Input, Db, Prepared, Answer extends Answered<D>, Undone> extends Common<Input> {
  idempotent: true;
  /** Whether the request can ask what would happen (`dry_run`): the same code answers, and leaves no trace. */
  dry_run?: true;
  /** The part of the input that a key is bound to; all of it by default. Secrets are sealed. */
  boundTo?(input: NoInfer<Input>, seal: Seal): unknown;
  /** The method whose effect under the same key this one undoes. That key is spent, even when it comes later. */
  undoes?: Method<never, Undone>;
  prepare?(given: Known<Db> & { input: NoInfer<Input> }): Promise<Prepared>;
  /** Its whole answer is kept with the key, what only undoing needs included; on the wire goes what the message names. */
  handle(
    given: MethodContext<Db> & { input: NoInfer<Input>; prepared: Prepared; undone: Undone | undefined },
  ): Promise<Answer>;
  /** The record that the effect belongs to, by which the service finds its keys (`undoKeys`, `deleteKeys`). */
  subject?(answer: NoInfer<Answer>): string;
  /** Records a refusal, in a transaction of its own: nothing else is left of what was refused. */
  onRefusal?(given: MethodContext<Db> & { input: NoInfer<Input>; refusal: Fault }): Promise<void>;
}
interface MethodContext<Db> {
  db: Db;
  caller: Caller;
  emit: Emit;
}

/** The callers of a method without a user: the gateway, or the named services. */
type BareAccess = { access: 'gateway' } | { access: 'stranger'; only: readonly string[] };

/** A method that runs without a user and a workspace. */
type Bare<D, Input, Db> = BareAccess & {
  summary: string;
  input?: z.ZodType<Input>;
  faults?: FaultMaker[];
  handle(given: {
    database: Database<Db>;
    keys: Keys;
    request_id: string;
    /** The process that asks. */
    issuer: string;
    input: NoInfer<Input>;
  }): Promise<Answered<D>>;
};

/** A declaration without its types. */
export interface Method<Request = never, Answer = unknown> {
  /** Its name in the protobuf file. */
  name: string;
  summary: string;
  access: MethodAccess;
  /** The services that may call the method; undefined for a method of the gateway. */
  only: readonly string[] | undefined;
  idempotent: boolean;
  dry_run: boolean;
  /** The method whose effect it undoes. */
  undoes: Method | undefined;
  input: z.ZodType | undefined;
  faults: readonly FaultMaker[];
  answer(request: Request, context: RpcContext<never>): Promise<Answer>;
}

/** A declaration without its types. */
interface Declared
  extends Omit<
    Effect<never, unknown, unknown, unknown, never, object>,
    'idempotent' | 'access' | 'handle' | 'subject' | 'only'
  > {
  access?: MethodAccess;
  only?: readonly string[];
  idempotent?: true;
  visible?: true;
  subject?(answer: object): string;
  handle(given: object): Promise<object>;
}

/** As whom a method is done. */
function actorOf({ actingAs }: Declared, input: unknown, caller: Caller): Caller {
  if (!actingAs) return caller;
  const { user_id, workspace_id } = caller;
  return { ...actingAs(input, caller), user_id, workspace_id };
}

/** Parses a request. @throws a 422 that names the field */
function parseRequest(input: z.ZodType | undefined, request: object): unknown {
  const { data, error } = (input ?? z.unknown()).safeParse(request);
  if (!error) return data;
  const { path, message } = error.issues[0]!;
  throw invalid(path.join('.') || 'request', message);
}

interface IdempotentInput {
  idempotency_key: string;
  dry_run?: boolean;
}

/** The call under its key; nothing for a method that only looks, and for a call that does without one. */
function idempotentRequest(name: string, declared: Declared, input: unknown, { issuer, seal }: RpcContext) {
  if (!declared.idempotent) return undefined;
  const { idempotency_key: key, dry_run: _, ...content } = input as IdempotentInput;
  const fingerprint = fingerprintOf(declared.boundTo ? declared.boundTo(input, seal) : content);
  return key ? { method: name, key, caller: issuer, fingerprint } : undefined;
}

async function answer(name: string, declared: Declared, request: object, called: RpcContext): Promise<object> {
  const { issuer, request_id, database, storage, keys } = called;
  const { access, idempotent, visible, prepare, subject, undoes, onRefusal } = declared;
  if (access === 'gateway' || access === 'stranger') {
    const callers = declared.only ?? ['gateway'];
    if (!callers.includes(issuer)) throw Forbidden({ service: issuer });
    return await declared.handle({ database, keys, request_id, issuer, input: parseRequest(declared.input, request) });
  }
  if (!called.caller) throw Unauthenticated();
  if (!declared.only?.includes(issuer)) throw Forbidden({ service: issuer });
  const input = parseRequest(declared.input, request);
  const caller = actorOf(declared, input, called.caller);
  const { ends_at } = called;
  const context = { workspace_id: caller.workspace_id, caller, operation: `rpc:${name}`, request_id, ends_at };
  const read = <T>(work: (db: unknown) => Promise<T>) => database.read(context, work);
  const isDryRun = declared.dry_run === true && (request as IdempotentInput).dry_run === true;
  const call = idempotentRequest(name, declared, input, called);
  const answered = perform<unknown, object>(database, context, {
    as: idempotent ? (isDryRun ? 'dryRun' : 'write') : visible ? 'view' : 'read',
    key: call && { answered: () => answeredBefore(call), once: (work) => onceForKey(call, work, subject) },
    prepare: prepare && (() => prepare({ input, caller, storage, read })),
    handle: async (given) => {
      const undone = call && undoes && (await undoKey({ ...call, method: undoes.name }));
      return await declared.handle({ ...given, caller, input, undone });
    },
  });
  return await answered.catch(async (error: unknown) => {
    if (onRefusal && !isDryRun && error instanceof Fault)
      await database.write(context, (db, emit) => onRefusal({ db, emit, caller, input, refusal: error }));
    throw error;
  });
}

/** Declares a method. */
interface Declare<Db> {
  <const D extends Definition<object, object>, Input = Sent<D>>(
    definition: D,
    declaration: Bare<D, Input, Db>,
  ): Method<Sent<D>, Answered<D>>;
  <
    const D extends Definition<object, object>,
    Input = Sent<D>,
    Prepared = undefined,
    Answer extends Answered<D> = Answered<D>,
    Undone = undefined,
  >(
    definition: D,
    declaration: Effect<D, Input, Db, Prepared, Answer, Undone> | Look<D, Input, Db, Prepared>,
  ): Method<Sent<D>, Answer>;
}

/** The way in which a service declares its methods, bound to its database. */
export const methods = <Db>(): Declare<Db> =>
  ((definition: Definition<object, object>, declared: Declared): Method<object, object> => {
    const { summary, access = 'caller', only, idempotent = false, dry_run = false, undoes, input } = declared;
    const { name } = definition;
    const faults = [...(declared.faults ?? []), ...(idempotent ? [KeyReused] : [])];
    const own = { name, summary, access, only, idempotent, dry_run, undoes, input, faults };
    return { ...own, answer: (request, context) => answer(name, declared, request, context) };
  }) as unknown as Declare<Db>;

type Methods<Definition extends TsProtoServiceDefinition> = {
  [Name in keyof Definition['methods']]: Definition['methods'][Name] extends {
    requestType: { decode(bytes: Uint8Array): infer Request };
    responseType: { fromPartial(answer: infer Answer): unknown };
  }
    ? Method<Request, Answer>
    : never;
};

/** Serves declared methods: `serveMethods(PlatformServiceDefinition, { introspect, … })`, none missing. */
export function serveMethods<Definition extends TsProtoServiceDefinition>(
  definition: Definition,
  declared: Methods<Definition>,
): ServedRpc {
  const entries = Object.entries<Method<object>>(declared as never);
  const undone = new Set(entries.map(([, { undoes }]) => undoes?.name));
  const described = entries.map(([id, method]): [string, Method] => [
    id,
    undone.has(method.name) ? { ...method, faults: [...method.faults, KeyReversed] } : method,
  ]);
  return {
    definition,
    methods: Object.fromEntries(entries.map(([id, { answer }]) => [id, answer])) as never,
    by_itself: entries.filter(([, { access }]) => access === 'settling').map(([id]) => id),
    declared: Object.fromEntries(described),
  };
}
