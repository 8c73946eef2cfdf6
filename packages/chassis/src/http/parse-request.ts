/** Request → input: everything that a handler is given of a request, checked. */
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Database } from '../database/database.ts';
import { Fault, Forbidden, invalid, NotAcceptable, NotFound } from '../runtime/fault.ts';
import { tables } from '../schema/fields.ts';
import { receive, type StoredFile, type Upload } from '../operation/files.ts';
import { receiveMessage } from '../operation/message.ts';
import type { Storage } from '../operation/storage.ts';
import { choosable, type Choice, parseChoice } from '../lists/choice.ts';
import type { Caller } from '../identity/identity.ts';
import { type Format, MEDIA, type RequestFacts } from '../operation/answering.ts';
import type { Operation } from '../operation/operation.ts';
import { asNamed } from '../database/running.ts';
import { assertText } from '../schema/text.ts';
import { assertEncoding, parse, readJson } from './parse.ts';
import { formValues } from '../schema/form-values.ts';
import { queryValues } from '../schema/query-values.ts';
import { type Context, execute } from '../database/running.ts';

interface Host {
  database: Database<unknown>;
  storage: Storage;
}

export interface Input {
  params: Record<string, unknown>;
  query: unknown;
  body: unknown;
  caller: Caller | null;
  files: StoredFile[];
  expect: number | undefined;
  request: RequestFacts;
  /** The caller's `Idempotency-Key`. */
  idempotency_key: string | undefined;
  /** The fields of a record that the caller wants to see; undefined for all of them. */
  choice: Choice | undefined;
  /** The form that the caller would rather have than JSON, where there is one. */
  format: Format | undefined;
}

/** A wrong body is told only where the record in the path exists: unknown and foreign ids always answer 404. */
async function assertPathExists(
  operation: Operation,
  params: Record<string, unknown>,
  host: Host,
  context: Context,
): Promise<void> {
  for (const [name, schema] of Object.entries(operation.params ?? {})) {
    const table = tables.get(schema)?.table;
    if (!table || !context.workspace_id) continue;
    const look = () => execute(`SELECT FROM ${table} WHERE id = $1`, [params[name]]);
    const found = await host.database.view(context, () => asNamed(look));
    if (found.rowCount === 0) throw NotFound();
  }
}

const IfMatch = z.object({
  'if-match': z
    .string()
    .regex(/^(W\/)?"\d+(-[\w-]+)?"$/, 'Send the ETag that you read.')
    .transform((tag) => Number(/\d+/.exec(tag)![0])),
});

/** Set by the gateway alone. */
const BEARER = 'x-bearer';

/** The signature of a payment provider, and that of who hands its message on. */
const signaturesOf = ({ headers }: Request) => ({
  provider: String(headers['stripe-signature'] ?? ''),
  relay: String(headers['webhook-signature'] ?? ''),
});

const IdempotencyKey = z.object({
  'idempotency-key': z.string().min(1).max(255).optional(),
});

/** Returns the version of an ETag: `If-Match: "3-Vd7p0a"` → 3. Only the version matters: a changed name of another record is no conflict. */
function expectedVersion(request: Request, body: unknown): number | undefined {
  const header = request.headers['if-match'];
  if (header === undefined || header === '*') return (body as { version?: number } | undefined)?.version;
  return parse(IfMatch, { 'if-match': header })['if-match'];
}

/** Files of a call that had no effect, or whose effect was there already. */
export const discard = (storage: Storage, files: readonly StoredFile[]) =>
  Promise.allSettled(files.map(({ key }) => storage.remove(key)));

/**
 * Which right a body takes that makes a record or changes one.
 * @returns null where only the record tells: an `external_id` may be known, or not
 */
function rightToSave({ access }: Pick<Operation, 'access'>, body: unknown): string | null {
  if (access.kind !== 'permission' || !access.creates) return null;
  const { id, external_id } = (body ?? {}) as { id?: unknown; external_id?: unknown };
  if (id !== undefined) return access.permission;
  return external_id === undefined || external_id === null ? access.creates : null;
}

/** Refuses a body that takes another right than the caller came in with, before it is checked. @throws Forbidden */
function assertMaySave(operation: Operation, raw: unknown, caller: Caller | null): void {
  const needed = rightToSave(operation, raw);
  if (needed !== null && !caller?.permissions.includes(needed)) throw Forbidden({ permission: needed });
}

/** Takes `fields` and `expand` out of the query of a record. */
function chosen(operation: Operation, asked: Record<string, string>, format: Format | undefined) {
  const { fields, expand, ...rest } = asked;
  const offered = fields === undefined && expand === undefined ? undefined : choosable(operation);
  if (!offered) return { choice: undefined, rest: asked };
  if (format)
    throw invalid(fields === undefined ? 'expand' : 'fields', `A ${format.toUpperCase()} always shows everything.`);
  const usual = offered.expand.filter((name) => !offered.on_demand.includes(name));
  return { choice: parseChoice({ fields, expand }, offered, usual), rest };
}

/**
 * Returns the format that a caller prefers to JSON.
 * @throws NotAcceptable if the `Accept` header names no format of the response
 */
function preferred({ formats = {}, query = {}, reply }: Operation, request: Request): Format | undefined {
  // By name, where it has the parameter: the tag of a picture cannot say what it accepts.
  const named = 'format' in query ? request.query['format'] : undefined;
  if (named !== undefined) return Object.keys(formats).find((format): format is Format => format === named);
  const { accept } = request.headers;
  // A file has the type that it has.
  if (accept === undefined || accept === '*/*' || reply.shape === 'stream') return undefined;
  const offered = Object.keys(formats) as Format[];
  const chosen = request.accepts(['json', ...offered, PROBLEM]);
  if (!chosen) throw NotAcceptable({ available: ['application/json', ...offered.map((format) => MEDIA[format])] });
  return offered.find((format) => format === chosen);
}

/** A client that asks for errors in this format gets its other responses in JSON. */
const PROBLEM = 'application/problem+json';

export interface Schemas {
  params: z.ZodType;
  query: { parse(query: Record<string, string>, list: string): unknown };
  body: z.ZodType;
}

const isForm = ({ upload }: Operation, request: Request): boolean =>
  upload !== undefined && (!upload.optional || Boolean(request.is('multipart/form-data')));

/**
 * The variables of the path.
 * @throws a 422 for what can be none of them; NotFound in a public path, where a token that cannot be one is as unknown as any other
 */
function pathOf({ access }: Operation, schemas: Schemas, request: Request): Record<string, unknown> {
  try {
    assertText(request.params);
    return parse(schemas.params, request.params) as Record<string, unknown>;
  } catch (error) {
    throw access.kind === 'public' && error instanceof Fault ? NotFound() : error;
  }
}

/** Reads and checks the path, the query and the body. What is refused leaves no file behind. */
export async function parseRequest(
  operation: Operation,
  schemas: Schemas,
  host: Host,
  request: Request,
  response: Response,
  context: Context,
): Promise<Input> {
  const { caller } = context;
  const params = pathOf(operation, schemas, request);
  const { message, access } = operation;
  // A form that may have files is taken as one only where it says that it is.
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
    const format = preferred(operation, request);
    const { choice, rest } = chosen(operation, queryValues(request.query), format);
    const query = schemas.query.parse(rest, `${operation.path} ${JSON.stringify(params)}`);
    const { 'idempotency-key': idempotency_key } = parse(IdempotencyKey, request.headers);
    if (message) files.push(await receiveMessage(request, message, place));
    if (upload) await assertPathExists(operation, params, host, context);
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
      ...(access.kind === 'public' && access.bearer && { bearer: String(request.headers[BEARER] ?? '') }),
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
