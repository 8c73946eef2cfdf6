/**
 * A method is one gRPC method, declared once, as a value, like an operation. The value defines the callers, the
 * request, the transaction and the dry run.
 */
import { z } from 'zod';
import type { TsProtoServiceDefinition } from 'nice-grpc';
import type { Database } from '../database/database.ts';
import { perform } from '../database/perform.ts';
import type { Emit } from '../operation/events.ts';
import type { Storage } from '../storage/storage.ts';
import { Fault, type FaultMaker, Forbidden, invalid, Unauthenticated } from '../runtime/fault.ts';
import type { Caller, Keys } from '../identity/identity.ts';
import { findStoredResponse, fingerprintOf, KeyReused, KeyReversed, runOncePerKey, undoKey } from './keys.ts';
import type { RpcContext, ServedRpc } from './rpc.ts';

/** A method in the code that ts-proto generates: request and response. */
interface Definition<Request, Answer> {
  name: string;
  requestType: { decode(input: Uint8Array): Request };
  responseType: { fromPartial(response: never): Answer };
}
type ResponseOf<D> = D extends { responseType: { fromPartial(response: infer Partial): unknown } } ? Partial : never;
type RequestOf<D> = D extends Definition<infer Request, unknown> ? Request : never;

/**
 * Access to a method: for another service on behalf of a caller, or for a service alone that settles an earlier
 * request of a user; or without a known user, for the gateway alone or for any named service.
 */
export type MethodAccess = 'caller' | 'settling' | UserlessMethod<never, never, never>['access'];

interface MethodReader<Db> {
  caller: Caller;
  storage: Storage;
  /** Reads the caller's workspace in a separate snapshot. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

interface MethodBase<Input> {
  summary: string;
  /** Defaults to `caller`. */
  access?: 'caller' | 'settling';
  /** The services that may call the method. Required, so that no method is open to services that do not need it. */
  only: readonly string[];
  /** The schema of the request. Without a schema, the request is not checked. */
  input?: z.ZodType<Input>;
  faults?: FaultMaker[];
  /**
   * Returns the caller with the current rights that the request states, for a service that is trusted to state them.
   * Only services in `only` may call the method. The call defines user and workspace.
   */
  actingAs?(input: NoInfer<Input>, caller: Caller): Caller;
}

/** A method that only reads. */
interface QueryMethod<D, Input, Db, Prepared> extends MethodBase<Input> {
  idempotent?: never;
  /** True if rows are returned as the caller sees them, instead of all data. */
  visible?: true;
  prepare?(given: MethodReader<Db> & { input: NoInfer<Input> }): Promise<Prepared>;
  handle(given: { db: Db; input: NoInfer<Input>; caller: Caller; prepared: Prepared }): Promise<ResponseOf<D>>;
}

/** Creates a fingerprint of a secret. The secret cannot be derived from the fingerprint. */
type SecretFingerprint = (secret: object) => string;

/** A method with an effect, once per key. */
interface CommandMethod<D, Input, Db, Prepared, Answer extends ResponseOf<D>, Undone> extends MethodBase<Input> {
  idempotent: true;
  /** True if the request can be a dry run (`dry_run`): the same code answers, and leaves no trace. */
  dry_run?: true;
  /** Part of the input that a key is bound to. Defaults to all of the input. Secrets are replaced by fingerprints. */
  boundTo?(input: NoInfer<Input>, seal: SecretFingerprint): unknown;
  /**
   * The method whose effect under the same key this method undoes. That key is then used up, even if the other call
   * arrives later.
   */
  undoes?: Method<never, Undone>;
  prepare?(given: MethodReader<Db> & { input: NoInfer<Input> }): Promise<Prepared>;
  /**
   * Handles the call. The whole result is stored with the key, including values that only the undo needs. Only the
   * fields of the message are sent.
   */
  handle(
    given: MethodContext<Db> & { input: NoInfer<Input>; prepared: Prepared; undone: Undone | undefined },
  ): Promise<Answer>;
  /**
   * Returns the record that the effect belongs to. The service finds its keys by this record (`undoKeys`,
   * `deleteKeys`).
   */
  subject?(response: NoInfer<Answer>): string;
  /** Records a fault in a separate transaction, because everything else is rolled back. */
  onRefusal?(given: MethodContext<Db> & { input: NoInfer<Input>; refusal: Fault }): Promise<void>;
}
interface MethodContext<Db> {
  db: Db;
  caller: Caller;
  emit: Emit;
}

/** The callers of a method without a user: the gateway, or the named services. */
type UserlessAccess = { access: 'gateway' } | { access: 'stranger'; only: readonly string[] };

/** A method that runs without a user and a workspace. */
type UserlessMethod<D, Input, Db> = UserlessAccess & {
  summary: string;
  input?: z.ZodType<Input>;
  faults?: FaultMaker[];
  handle(given: {
    database: Database<Db>;
    keys: Keys;
    request_id: string;
    /** The calling process. */
    issuer: string;
    input: NoInfer<Input>;
  }): Promise<ResponseOf<D>>;
};

/** An operation without its types. */
export interface Method<Request = never, Answer = unknown> {
  /** The name of the method in the protobuf file. */
  name: string;
  summary: string;
  access: MethodAccess;
  /** The services that may call the method. Undefined for a method of the gateway. */
  only: readonly string[] | undefined;
  idempotent: boolean;
  dry_run: boolean;
  /** The method whose effect this method undoes. */
  undoes: Method | undefined;
  input: z.ZodType | undefined;
  faults: readonly FaultMaker[];
  respond(request: Request, context: RpcContext<never>): Promise<Answer>;
}

/** An operation without its types. */
interface UntypedMethod
  extends Omit<
    CommandMethod<never, unknown, unknown, unknown, never, object>,
    'idempotent' | 'access' | 'handle' | 'subject' | 'only'
  > {
  access?: MethodAccess;
  only?: readonly string[];
  idempotent?: true;
  visible?: true;
  subject?(response: object): string;
  handle(given: object): Promise<object>;
}

/** Returns the caller that a method acts as. */
function actorOf({ actingAs }: UntypedMethod, input: unknown, caller: Caller): Caller {
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

/** Returns the call with its key. Undefined for a method that only reads, and for a call without a key. */
function idempotentRequest(name: string, declared: UntypedMethod, input: unknown, { issuer, seal }: RpcContext) {
  if (!declared.idempotent) return undefined;
  const { idempotency_key: key, dry_run: _, ...content } = input as IdempotentInput;
  const fingerprint = fingerprintOf(declared.boundTo ? declared.boundTo(input, seal) : content);
  return key ? { method: name, key, caller: issuer, fingerprint } : undefined;
}

async function respond(name: string, declared: UntypedMethod, request: object, called: RpcContext): Promise<object> {
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
    key: call && { answered: () => findStoredResponse(call), once: (work) => runOncePerKey(call, work, subject) },
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
  <const D extends Definition<object, object>, Input = RequestOf<D>>(
    definition: D,
    declaration: UserlessMethod<D, Input, Db>,
  ): Method<RequestOf<D>, ResponseOf<D>>;
  <
    const D extends Definition<object, object>,
    Input = RequestOf<D>,
    Prepared = undefined,
    Answer extends ResponseOf<D> = ResponseOf<D>,
    Undone = undefined,
  >(
    definition: D,
    declaration: CommandMethod<D, Input, Db, Prepared, Answer, Undone> | QueryMethod<D, Input, Db, Prepared>,
  ): Method<RequestOf<D>, Answer>;
}

/** Returns the function that declares methods of a service, typed for its database. */
export const methods = <Db>(): Declare<Db> =>
  ((definition: Definition<object, object>, declared: UntypedMethod): Method<object, object> => {
    const { summary, access = 'caller', only, idempotent = false, dry_run = false, undoes, input } = declared;
    const { name } = definition;
    const faults = [...(declared.faults ?? []), ...(idempotent ? [KeyReused] : [])];
    const own = { name, summary, access, only, idempotent, dry_run, undoes, input, faults };
    return { ...own, respond: (request, context) => respond(name, declared, request, context) };
  }) as unknown as Declare<Db>;

type Methods<Definition extends TsProtoServiceDefinition> = {
  [Name in keyof Definition['methods']]: Definition['methods'][Name] extends {
    requestType: { decode(bytes: Uint8Array): infer Request };
    responseType: { fromPartial(response: infer Answer): unknown };
  }
    ? Method<Request, Answer>
    : never;
};

/** Serves all declared methods: `serveMethods(PlatformServiceDefinition, { introspect, … })`. */
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
    methods: Object.fromEntries(entries.map(([id, { respond: response }]) => [id, response])) as never,
    by_itself: entries.filter(([, { access }]) => access === 'settling').map(([id]) => id),
    declared: Object.fromEntries(described),
  };
}
