/**
 * A method is one gRPC method, declared once, as a value, like an operation. Whoever calls, what is sent, in which
 * transaction it is answered and how it is rehearsed are read from that value.
 */
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import type { Context } from '../database/running.ts';
import type { Emit } from '../operation/events.ts';
import type { Storage } from '../operation/storage.ts';
import { Fault, type FaultMaker, Forbidden, invalid, isDeclared, Unauthenticated } from '../runtime/fault.ts';
import type { Caller } from '../runtime/identity.ts';
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
 * Who may call a method: another service on behalf of somebody; the same, and a service by itself that settles what
 * somebody had asked for; or the gateway, which does not know yet on whose behalf.
 */
export type MethodAccess = 'caller' | 'settling' | 'gateway';

interface Known<Db> {
  caller: Caller;
  storage: Storage;
  /** Looks into the caller's workspace in a snapshot of its own. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

interface Common<Input> {
  summary: string;
  /** `caller` where nothing is said. */
  access?: Exclude<MethodAccess, 'gateway'>;
  /** What is sent is checked against this; the request as it came where nothing is said. */
  input?: z.ZodType<Input>;
  faults?: FaultMaker[];
}

/** A method that only looks. */
interface Look<D, Input, Db, Prepared> extends Common<Input> {
  keyed?: never;
  /** Whether rows are answered as the caller sees them, and not as they are. */
  visible?: true;
  prepare?(given: Known<Db> & { input: NoInfer<Input> }): Promise<Prepared>;
  handle(given: { db: Db; input: NoInfer<Input>; caller: Caller; prepared: Prepared }): Promise<Answered<D>>;
}

/** A method that changes something, once for each key. */
interface Effect<D, Input, Db, Prepared> extends Common<Input> {
  keyed: true;
  /** Whether the request can ask what would happen (`dry_run`): the same code answers, and leaves no trace. */
  dry_run?: true;
  prepare?(given: Known<Db> & { input: NoInfer<Input> }): Promise<Prepared>;
  handle(given: Work<Db> & { input: NoInfer<Input>; prepared: Prepared }): Promise<Answered<D>>;
  /** Records a refusal, in a transaction of its own: nothing else is left of what was refused. */
  onRefusal?(given: Work<Db> & { input: NoInfer<Input>; refusal: Fault }): Promise<void>;
}
interface Work<Db> {
  db: Db;
  caller: Caller;
  emit: Emit;
}

/** A method that nobody's workspace is known for. */
interface Bare<D, Db> {
  summary: string;
  access: 'gateway';
  faults?: FaultMaker[];
  handle(given: { database: Database<Db>; input: Sent<D> }): Promise<Answered<D>>;
}

/** What is left of a declaration once its types have done their work. */
export interface Method<Request = never, Answer = unknown> {
  /** As the protobuf file spells it. */
  name: string;
  summary: string;
  access: MethodAccess;
  keyed: boolean;
  dry_run: boolean;
  input: z.ZodType | undefined;
  faults: readonly FaultMaker[];
  answer(request: Request, context: RpcContext<never>): Promise<Answer>;
}

/** A declaration without its types. */
interface Declared extends Omit<Effect<never, unknown, unknown, unknown>, 'keyed' | 'access' | 'handle'> {
  access?: MethodAccess;
  keyed?: true;
  visible?: true;
  handle(given: object): Promise<object>;
}

/** What was sent, as it should be. @throws a 422 that names the field */
function parseRequest(input: z.ZodType | undefined, request: object): unknown {
  const { data, error } = (input ?? z.unknown()).safeParse(request);
  if (!error) return data;
  const { path, message } = error.issues[0]!;
  throw invalid(path.join('.') || 'request', message);
}

async function effect(
  declared: Declared,
  context: Context,
  given: Known<unknown> & { input: unknown },
  called: Called,
) {
  const { database, dry_run } = called;
  const prepared = await declared.prepare?.(given);
  const { caller, input } = given;
  const perform = (db: unknown, emit: Emit) => declared.handle({ db, emit, caller, input, prepared });
  if (dry_run) return await database.dryRun(context, perform);
  return await database.write(context, perform).catch(async (error: unknown) => {
    if (declared.onRefusal && error instanceof Fault)
      await database.write(context, (db, emit) => declared.onRefusal!({ db, emit, caller, input, refusal: error }));
    throw error;
  });
}

interface Called {
  database: Database;
  dry_run: boolean;
}

async function answer(name: string, declared: Declared, request: object, called: RpcContext): Promise<object> {
  const { caller, issuer, request_id, database, storage } = called;
  if (declared.access === 'gateway') {
    if (issuer !== 'gateway') throw Forbidden({ service: issuer });
    return await declared.handle({ database, input: request });
  }
  if (!caller) throw Unauthenticated();
  const context = { workspace_id: caller.workspace_id, caller, operation: `rpc:${name}`, request_id };
  const input = parseRequest(declared.input, request);
  const given = {
    input,
    caller,
    storage,
    read: <T>(work: (db: unknown) => Promise<T>) => database.read(context, work),
  };
  if (declared.keyed) {
    const dry_run = declared.dry_run === true && (request as { dry_run?: boolean }).dry_run === true;
    return await effect(declared, context, given, { database, dry_run });
  }
  const prepared = await declared.prepare?.(given);
  const look = declared.visible ? database.view : database.read;
  return await look(context, (db) => declared.handle({ db, input, caller, prepared }));
}

/** Declares a method. */
interface Declare<Db> {
  <const D extends Definition<object, object>>(definition: D, declaration: Bare<D, Db>): Method<Sent<D>, Answered<D>>;
  <const D extends Definition<object, object>, Input = Sent<D>, Prepared = undefined>(
    definition: D,
    declaration: Effect<D, Input, Db, Prepared> | Look<D, Input, Db, Prepared>,
  ): Method<Sent<D>, Answered<D>>;
}

/** The way in which a service declares its methods, bound to its database. */
export const methods = <Db>(): Declare<Db> =>
  ((definition: Definition<object, object>, declared: Declared): Method<object, object> => {
    const { summary, access = 'caller', keyed = false, dry_run = false, input, faults = [] } = declared;
    const { name } = definition;
    const own = { name, summary, access, keyed, dry_run, input, faults };
    return { ...own, answer: (request, context) => answer(name, declared, request, context) };
  }) as unknown as Declare<Db>;

/** What a method failed with. In tests, a fault that it does not declare becomes a bug. */
export function declaredOnly(services: readonly ServedRpc[], path: string, error: unknown): unknown {
  const { declared = {} } = services.find(({ definition }) => path.startsWith(`/${definition.fullName}/`)) ?? {};
  const method = Object.values(declared).find(({ name }) => path.endsWith(`/${name}`));
  if (!method || !(error instanceof Fault) || error.status >= 503) return error;
  return isDeclared(error, method.faults)
    ? error
    : new Error(`The method ${method.name} throws "${error.code}" and does not declare it.`);
}
