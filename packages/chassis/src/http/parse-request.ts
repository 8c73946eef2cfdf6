/** Parses and checks the input of a request for its handler. */
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Database, RowReader } from '../database/database.ts';
import { Fault, Forbidden, invalid, NotAcceptable, NotFound } from '../runtime/fault.ts';
import { tables } from '../schema/fields.ts';
import { receive, type StoredFile, type Upload } from '../operation/files.ts';
import { receiveMessage } from '../operation/message.ts';
import type { Storage } from '../storage/storage.ts';
import { choicesOf, type Choice, parseChoice } from '../lists/choice.ts';
import type { Caller } from '../identity/identity.ts';
import { type Format, MEDIA, type RequestMetadata } from '../operation/answering.ts';
import { callerCheckOf } from '../operation/access.ts';
import type { Operation } from '../operation/operation.ts';
import { assertTokenValid } from './linked-workspace.ts';
import { asCallerForLookup } from '../database/running.ts';
import { assertText } from '../schema/text.ts';
import { assertEncoding, parse, readJson } from './parse.ts';
import { formValues } from '../schema/form-values.ts';
import { queryValues } from '../schema/query-values.ts';
import { assertAccepted, assertListVisible } from './visible.ts';
import { type TransactionContext, execute } from '../database/running.ts';

interface Host {
  database: Database<unknown>;
  storage: Storage;
  rpc(caller: Caller | null, request_id: string): object;
}

export interface Input {
  params: Record<string, unknown>;
  query: unknown;
  body: unknown;
  caller: Caller | null;
  files: StoredFile[];
  expect: number | undefined;
  request: RequestMetadata;
  /** The caller's `Idempotency-Key`. */
  idempotency_key: string | undefined;
  /** Fields of a record that the caller requests. Undefined for all fields. */
  choice: Choice | undefined;
  /** The format that the caller prefers to JSON, if any. */
  format: Format | undefined;
}

/**
 * Checks that the record in the path exists, before errors in the body are reported. Unknown and foreign IDs always
 * return 404.
 */
async function assertPathExists(
  operation: Operation,
  params: Record<string, unknown>,
  host: Host,
  context: TransactionContext,
): Promise<void> {
  for (const [name, schema] of Object.entries(operation.params ?? {})) {
    const table = tables.get(schema)?.table;
    if (!table || !context.workspace_id) continue;
    const look = () => execute(`SELECT FROM ${table} WHERE id = $1`, [params[name]]);
    const found = await host.database.view(context, () => asCallerForLookup(look));
    if (found.rowCount === 0) throw NotFound();
  }
}

/** Rejects a caller whom the access excludes. @throws the fault of the check */
async function assertCaller(operation: Operation, host: Host, context: TransactionContext): Promise<void> {
  if (!callerCheckOf(operation)) return;
  await host.database.read(context, (db) => assertAccepted(operation, db as RowReader, context.caller));
}

/** At most nine digits, because no database can compare a larger version. */
const IfMatch = z.object({
  'if-match': z
    .string()
    .regex(/^(W\/)?"\d{1,9}(-[\w-]+)?"$/, 'Send the ETag of the version that you read.')
    .transform((tag) => Number(/\d+/.exec(tag)![0])),
});

/** The header that only the gateway sets. */
const BEARER = 'x-bearer';

/** Returns the signatures of the payment provider and of the relay that forwards its events. */
const signaturesOf = ({ headers }: Request) => ({
  provider: String(headers['stripe-signature'] ?? ''),
  relay: String(headers['webhook-signature'] ?? ''),
});

const IdempotencyKey = z.object({
  'idempotency-key': z.string().min(1).max(255).optional(),
});

/**
 * Returns the version of an ETag: `If-Match: "3-Vd7p0a"` → 3. Only the version matters: a changed name of another
 * record is not a conflict.
 */
function expectedVersion(request: Request, body: unknown): number | undefined {
  const header = request.headers['if-match'];
  if (header === undefined || header === '*') return (body as { version?: number } | undefined)?.version;
  return parse(IfMatch, { 'if-match': header })['if-match'];
}

/** Deletes the files of a call that failed, or that had already taken effect. */
export const discard = (storage: Storage, files: readonly StoredFile[]) =>
  Promise.allSettled(files.map(({ key }) => storage.remove(key)));

/**
 * Returns the permission that a body needs to create or change a record.
 * @returns null if only the record decides: an `external_id` may exist or not
 */
function permissionToSave({ access }: Pick<Operation, 'access'>, body: unknown): string | null {
  if (access.kind !== 'permission' || !access.creates) return null;
  const { id, external_id } = (body ?? {}) as { id?: unknown; external_id?: unknown };
  if (id !== undefined) return access.permission;
  return external_id === undefined || external_id === null ? access.creates : null;
}

/** Rejects a body that requires a permission that the caller lacks, before validation. @throws Forbidden */
function assertMaySave(operation: Operation, raw: unknown, caller: Caller | null): void {
  const needed = permissionToSave(operation, raw);
  if (needed !== null && !caller?.permissions.includes(needed)) throw Forbidden({ permission: needed });
}

/** Extracts `fields` and `expand` from the query of a record. */
function readChoice(operation: Operation, asked: Record<string, string>, format: Format | undefined) {
  const { fields, expand, ...rest } = asked;
  const offered = fields === undefined && expand === undefined ? undefined : choicesOf(operation);
  if (!offered) return { choice: undefined, rest: asked };
  if (format)
    throw invalid(fields === undefined ? 'expand' : 'fields', `A ${format.toUpperCase()} always contains all fields.`);
  const usual = offered.expand.filter((name) => !offered.on_demand.includes(name));
  return { choice: parseChoice({ fields, expand }, offered, usual), rest };
}

/**
 * Returns the format that a caller prefers to JSON.
 * @throws NotAcceptable if the `Accept` header names no format of the response
 */
function preferredFormat({ formats = {}, query = {}, reply }: Operation, request: Request): Format | undefined {
  // The parameter comes first, where the operation has one: an `<img>` tag cannot send `Accept`.
  const named = 'format' in query ? request.query['format'] : undefined;
  if (named !== undefined) return Object.keys(formats).find((format): format is Format => format === named);
  const { accept } = request.headers;
  // The type of a file is fixed.
  if (accept === undefined || accept === '*/*' || reply.shape === 'stream') return undefined;
  const offered = Object.keys(formats) as Format[];
  const type = request.accepts(['json', ...offered, PROBLEM]);
  if (!type) throw NotAcceptable({ available: ['application/json', ...offered.map((format) => MEDIA[format])] });
  return offered.find((format) => format === type);
}

/** A client that accepts errors in this format gets its other responses in JSON. */
const PROBLEM = 'application/problem+json';

export interface Schemas {
  params: z.ZodType;
  query: { parse(query: Record<string, string>, list: string): unknown };
  body: z.ZodType;
}

const isForm = ({ upload }: Operation, request: Request): boolean =>
  upload !== undefined && (!upload.optional || Boolean(request.is('multipart/form-data')));

/**
 * Returns the variables of the path.
 * @throws a 422 for a malformed value. NotFound in a public path, where a malformed token counts as unknown
 */
function pathOf({ access }: Operation, schemas: Schemas, request: Request): Record<string, unknown> {
  try {
    assertText(request.params);
    return parse(schemas.params, request.params) as Record<string, unknown>;
  } catch (error) {
    throw access.kind === 'public' && error instanceof Fault ? NotFound() : error;
  }
}

/** Returns the token of a public operation that has its own tokens. */
const bearerIn = ({ access }: Operation, { headers }: Request) =>
  access.kind === 'public' && access.bearer ? { bearer: String(headers[BEARER] ?? '') } : undefined;

/** Reads and checks the path, query and body. A rejected request leaves no files behind. */
async function readInput(
  operation: Operation,
  schemas: Schemas,
  host: Host,
  request: Request,
  response: Response,
  context: TransactionContext,
): Promise<Input> {
  const { caller } = context;
  const params = pathOf(operation, schemas, request);
  const { message, access } = operation;
  // A form that can contain files is parsed as a form only if its content type is one.
  const upload = isForm(operation, request) ? operation.upload : undefined;
  const files: StoredFile[] = [];
  const place = { storage: host.storage, workspace_id: context.workspace_id ?? 'public' };
  const takeForm = async (form: Upload) => {
    const received = await receive(request, response, form, place);
    files.push(...received.files);
    return received.fields;
  };
  try {
    assertEncoding(request.url);
    assertText(request.query);
    const format = preferredFormat(operation, request);
    const { choice, rest } = readChoice(operation, queryValues(request.query), format);
    const query = schemas.query.parse(rest, `${operation.path} ${JSON.stringify(params)}`);
    const { 'idempotency-key': idempotency_key } = parse(IdempotencyKey, request.headers);
    const bearer = bearerIn(operation, request);
    await assertTokenValid(operation, { params, ...bearer }, host, context);
    if (message) files.push(await receiveMessage(request, message, place));
    if (upload) {
      await assertCaller(operation, host, context);
      await assertPathExists(operation, params, host, context);
    }
    const raw = upload
      ? await takeForm(upload)
      : message || operation.method === 'GET'
        ? {}
        : await readJson(request, response, { small: access.kind === 'public' && access.sites });
    assertText(raw);
    assertMaySave(operation, raw, caller);
    const body = parse(schemas.body, upload ? formValues(schemas.body, raw as Record<string, unknown>) : raw);
    const facts = {
      id: context.request_id,
      address: String(request.headers['x-client-address'] ?? ''),
      user_agent: String(request.headers['user-agent'] ?? '').slice(0, 300),
      ...bearer,
      ...(access.kind === 'public' && access.signed && { signatures: signaturesOf(request) }),
      ...(access.kind === 'public' && access.sites && { origin: request.headers.origin ?? '' }),
      ...(access.kind === 'public' && idempotency_key !== undefined && { idempotency_key }),
    };
    const given = { params, query, body: operation.body && body, caller, files, choice, format };
    return { ...given, expect: expectedVersion(request, body), request: facts, idempotency_key };
  } catch (error) {
    await discard(host.storage, files);
    await assertPathExists(operation, params, host, context);
    throw error;
  }
}

/**
 * Reads and checks a request. Callers whom the access excludes get its fault instead of an error in the request. Valid
 * requests are checked by the transaction of the operation.
 */
export async function parseRequest(
  operation: Operation,
  schemas: Schemas,
  host: Host,
  request: Request,
  response: Response,
  context: TransactionContext,
): Promise<Input> {
  try {
    const input = await readInput(operation, schemas, host, request, response, context);
    assertListVisible(operation, input.query, context.caller);
    return input;
  } catch (error) {
    await assertCaller(operation, host, context);
    throw error;
  }
}
