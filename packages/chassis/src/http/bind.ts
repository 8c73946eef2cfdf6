/** Binds operations to request handlers. This is the only place where a declaration meets a request. */
import type { Request, RequestHandler } from 'express';
import type { Outgoing } from '@suite/outbound-http';
import { z } from 'zod';
import { sendFault } from './answer.ts';
import { storedResponse, type IdempotentCall, runOnce, type RequestOutcome } from './idempotency.ts';
import type { Database, RowReader } from '../database/database.ts';
import { perform } from '../database/perform.ts';
import type { TransactionContext } from '../database/running.ts';
import type { Emit } from '../operation/events.ts';
import { discard, type Input, type Schemas, parseRequest } from './parse-request.ts';
import {
  Fault,
  Forbidden,
  Internal,
  ModuleDisabled,
  NotFound,
  isDeclared,
  StorageFull,
  TrackerSession,
  Unauthenticated,
  WrongTokenClass,
} from '../runtime/fault.ts';
import type { FileLinks } from '../identity/file-links.ts';
import type { Storage } from '../storage/storage.ts';
import { type Caller, type Keys, callerOnBehalfOf } from '../identity/identity.ts';
import { isListQuery } from '../lists/list.ts';
import { countStored } from '../schedules/stored-objects.ts';
import { clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Observe } from '../runtime/metrics.ts';
import { type Operation } from '../operation/operation.ts';
import { accountScope, openingPermissions } from '../operation/access.ts';
import { linkHolder } from './linked-file.ts';
import { parse } from './parse.ts';
import { Routes } from '../operation/routes.ts';
import { assertNamedRecordsVisible } from './visible.ts';
import { secretFields, withoutSecrets } from '../schema/stored-fields.ts';
import { sendStored, toResponse } from './reply.ts';

/** The steps around an operation that names or deletes records known to other services. */
export interface Guard {
  /** Runs before the operation's `prepare`. */
  prepare(): Promise<void>;
  /** Runs first within the transaction. */
  confirm?(db: unknown): Promise<void>;
  /** Runs if the operation had no effect, with the reason if there is one. */
  abandon?(reason: unknown): Promise<void>;
}

/** The dependencies that a running service passes to its operations. */
export interface Host {
  name: string;
  keys: Keys;
  database: Database<unknown>;
  storage: Storage;
  links: FileLinks;
  /** The client for requests to external servers. */
  outgoing: Outgoing;
  /** The public URL of the gateway. */
  public_url: string;
  log: Log;
  observe: Observe;
  /** Clients of other services, on behalf of a caller, whose calls end with the caller's deadline if there is one. */
  rpc(caller: Caller | null, request_id: string, ends_at?: number): object;
  /** Returns the guard of a call, if it needs one. */
  guard(
    operation: Operation,
    input: { params: Record<string, unknown>; body: unknown },
    context: TransactionContext,
    rpc: object,
  ): Guard | undefined;
  /** Returns a keyed hash. Bodies can contain passwords, whose plain hash must not be stored. */
  fingerprint(asked: object): string;
  /** In tests, makes a fault that its operation does not declare a failure. */
  strict: boolean;
}

/**
 * Returns the caller that the gateway has authenticated. @throws Unauthenticated, ModuleDisabled, Forbidden: in this
 * order, before any look-up
 */
function authorize(operation: Operation, host: Host, request: Request): Caller | null {
  const [, token] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  if (!token) throw Unauthenticated();
  const { issuer, caller } = host.keys.verify(token, host.name);
  if (issuer !== 'gateway') throw Unauthenticated();
  const { access, module } = operation;
  if (access.kind === 'public') return caller;
  if (!caller) throw Unauthenticated();
  if ((access.kind === 'instance') !== (caller.instance !== undefined)) throw WrongTokenClass();
  const limits: { staff?: true; tracker?: true } = access.kind === 'session' ? access : {};
  if (caller.purpose === 'tracker' && !limits.tracker) throw TrackerSession();
  if (module && !caller.modules.includes(module)) throw ModuleDisabled({ module });
  if (limits.staff && caller.kind !== 'owner' && caller.kind !== 'staff') throw Forbidden({ kind: caller.kind });
  // Sessions may do anything with their own account. A restricted API key may not.
  const scope = caller.api_key_id === undefined ? undefined : accountScope(operation);
  const needed = [...openingPermissions(operation), ...(scope === undefined ? [] : [scope])];
  if (needed.length > 0 && !needed.some((right) => caller.permissions.includes(right))) {
    throw Forbidden({ permission: needed[0] });
  }
  const also = access.kind === 'permission' ? access.also : undefined;
  if (also && !caller.permissions.includes(also)) throw Forbidden({ permission: also });
  return caller;
}

/**
 * Returns the record of a call with an idempotency key. Sessions, each API key and the test mode of an instance have
 * separate keys, because an API key may see less than the session that stored a response.
 */
function idempotentRequest(id: string, key: string, host: Host, input: Input): IdempotentCall | undefined {
  const { params, query, body, files, caller } = input;
  if (!caller) return undefined;
  const asked = { params, query, body, files: files.map(({ name, size }) => ({ name, size })) };
  const { workspace_id, user_id: caller_id, instance, api_key_id } = caller;
  const by = instance ? instance.mode === 'test' && 'in test mode' : api_key_id && `with API key ${api_key_id}`;
  const operation = by ? `${id} ${by}` : id;
  return { workspace_id, caller_id, operation, key, asked: host.fingerprint(asked) };
}

/** The clients of other services, in the caller's workspace and in another one. */
function clientsFor(host: Host, caller: Caller | null, { request_id, ends_at }: TransactionContext, isQuery: boolean) {
  // A command that has begun elsewhere must be completed or compensated, even after its caller has stopped waiting.
  const as = (one: Caller | null) => host.rpc(one, request_id, isQuery ? ends_at : undefined);
  const rpcIn = (workspace_id: string) => as(callerOnBehalfOf(caller?.user_id ?? workspace_id, workspace_id));
  return { rpc: as(caller), rpcIn };
}

/** The transactions of an operation, and the ones that its `prepare` may use. */
function transactionsFor(database: Database, context: TransactionContext, isQuery: boolean) {
  const read = <T>(work: (db: unknown) => Promise<T>) => database[isQuery ? 'view' : 'read'](context, work);
  const write = <T>(work: (db: unknown, emit: Emit) => Promise<T>) => database.write(context, work);
  const derive = <T>(work: (db: unknown) => Promise<T>) => database.write(context, (db) => work(db));
  return { read, write, before: isQuery ? { read, derive } : { read, write } };
}

async function run(
  id: string,
  operation: Operation,
  host: Host,
  input: Input,
  context: TransactionContext,
): Promise<RequestOutcome> {
  const { caller, idempotency_key: key } = input;
  const { storage, keys, database, outgoing, public_url } = host;
  const links = host.links.of(caller?.instance ? undefined : caller?.user_id);
  const expanded: ReadonlySet<string> = input.choice?.expand ?? new Set();
  const means = { ...input, expanded, storage, links, keys, public_url };
  const isQuery = operation.kind === 'query';
  const { read, write, before } = transactionsFor(database, context, isQuery);
  const { rpc, rpcIn } = clientsFor(host, caller, context, isQuery);
  const isDryRun = (input.query as { dry_run?: boolean }).dry_run === true;
  const call = isQuery || isDryRun || key === undefined ? undefined : idempotentRequest(id, key, host, input);
  const guard = host.guard(operation, input, context, rpc);
  const prepare = operation.prepare && (() => operation.prepare!({ ...means, ...before, rpc, rpcIn, outgoing }));
  // Checks the operation's own faults first. Other services are called only for records that would be deleted.
  const rehearse = async (db: unknown, emit: Emit) => {
    await assertNamedRecordsVisible(db as RowReader, operation, input);
    return await operation.handle({ ...means, db, emit, prepared: undefined });
  };
  const guarded = async () => {
    if (operation.deletes) await database.dryRun(context, rehearse);
    await guard?.prepare();
    return await prepare?.();
  };
  let value: unknown;
  const performed = perform<unknown, RequestOutcome>(database, context, {
    as: isQuery ? 'view' : isDryRun ? 'dryRun' : 'write',
    key: call && {
      answered: () => storedResponse(call),
      once: (work) => runOnce(call, work, (whole) => withoutSecrets(operation.reply, whole)),
    },
    check: (db) => assertNamedRecordsVisible(db as RowReader, operation, input),
    prepare: guard ? guarded : prepare,
    handle: async ({ prepared, ...given }) => {
      await guard?.confirm?.(given.db);
      value = await operation.handle({ ...means, ...given, prepared });
      if (!isQuery && !(value instanceof Fault) && input.files.length > 0)
        await countStored(given.db as RowReader, input.files, { caller, refuses: operation.upload !== undefined });
      return toResponse(operation, input, value);
    },
  });
  const answer = await performed.catch(async (error: unknown) => {
    await guard?.abandon?.(error);
    throw error;
  });
  if (isDryRun) await guard?.abandon?.(undefined);
  if (operation.auditAccess) {
    const shown = 'body' in answer ? [(answer.body as { data: object | object[] }).data].flat() : [];
    await operation.auditAccess({ value, shown, query: input.query, caller, request: input.request, write });
  }
  return isQuery ? await inFormat(operation, input, answer, { read, rpc, keys }) : answer;
}

/** Returns the response in the requested format, such as a PDF. */
async function inFormat(operation: Operation, input: Input, answer: RequestOutcome, tools: object) {
  const print = input.format && operation.formats?.[input.format];
  if (!print || !('body' in answer)) return answer;
  const { data: record } = answer.body as { data: unknown };
  return await print({ record, query: input.query, caller: input.caller, ...tools } as never);
}

function assertDeclared(operation: Operation, error: unknown): void {
  if (!(error instanceof Fault)) return;
  if (!isDeclared(error, operation.faults) && error.status !== 503)
    throw new Error(`${operation.method} ${operation.path} throws "${error.code}" and does not declare it.`);
}

/** Returns the message of a log line. The error names a full disk, which an operator must fix. */
const logMessageOf = (error: unknown): string =>
  error instanceof Fault && error.code === StorageFull.code ? 'Disk full' : 'Request failed';

/** Returns the gateway's deadline for a request, by the clock of this process. Undefined for other callers. */
function deadlineOf({ headers }: Request): number | undefined {
  const left_ms = Number(headers['x-deadline-ms']);
  return left_ms > 0 ? performance.now() + left_ms : undefined;
}

function serve(id: string, operation: Operation, host: Host): RequestHandler {
  const { query, body } = operation;
  const parameters = z.strictObject(isListQuery(query) ? {} : (query ?? {}));
  const schemas: Schemas = {
    params: z.object(operation.params ?? {}),
    query: isListQuery(query) ? query : { parse: (asked) => parse(parameters, asked) },
    body: body ?? z.strictObject({}),
  };
  const compress = operation.access.kind !== 'public' && secretFields(operation.reply).length === 0;
  return async (request, response) => {
    const begun = clock.now().getTime();
    const request_id = String(request.headers['x-request-id'] ?? '');
    response.setHeader('X-Request-Id', request_id);
    const trace_id = String(request.headers['traceparent'] ?? '').split('-')[1] ?? null;
    let input: Input | undefined;
    try {
      if (operation.formats) response.vary('Accept');
      const caller = authorize(operation, host, request);
      const ends_at = deadlineOf(request);
      const workspace_id = caller?.workspace_id ?? null;
      const context = { workspace_id, caller, operation: id, request_id, trace_id, ends_at };
      input = await parseRequest(operation, schemas, host, request, response, context);
      const holder = await linkHolder(operation, host, input.params['token'], context);
      const answer = await run(id, operation, host, { ...input, ...holder }, { ...context, ...holder });
      if (answer instanceof Fault) throw answer;
      if (typeof answer === 'function') return await answer(response);
      if (answer.replayed || answer.status >= 400) await discard(host.storage, input.files);
      sendStored(request, response, operation, answer, { request_id, compress });
    } catch (error) {
      await discard(host.storage, input?.files ?? []);
      if (host.strict) assertDeclared(operation, error);
      if (!(error instanceof Fault) || error.status >= 500)
        host.log.error({ err: error, request_id, trace_id, operation: id }, logMessageOf(error));
      sendFault(request, response, error instanceof Fault ? error : Internal(), request_id, operation);
    } finally {
      host.observe(id, response.statusCode, clock.now().getTime() - begun);
    }
  };
}

/** Serves the operations by their ID. */
export function bind(operations: ReadonlyMap<string, Operation>, host: Host): RequestHandler {
  const routes = new Routes<RequestHandler>();
  for (const [id, operation] of operations) routes.add(operation.method, operation.path, serve(id, operation, host));
  const find = ({ method, path }: Request) => {
    try {
      return routes.find(method, path);
    } catch {
      return undefined; // A path that is not UTF-8 matches nothing.
    }
  };
  return (request, response, next) => {
    const found = find(request);
    if (!found) return sendFault(request, response, NotFound(), String(request.headers['x-request-id'] ?? ''));
    request.params = found.params;
    return found.served(request, response, next);
  };
}
