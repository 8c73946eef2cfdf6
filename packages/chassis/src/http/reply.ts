import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { type Choice, choicesOf, chooseFields } from '../lists/choice.ts';
import { writeAmounts } from '../schema/amounts.ts';
import { Fault } from '../runtime/fault.ts';
import { addActions } from '../lifecycle/shown-actions.ts';
import { sendJson } from './answer.ts';
import { storeInCaches } from './cache.ts';
import type { StoredResponse, RequestOutcome } from './idempotency.ts';
import { isListQuery, type ListRequest, type Page } from '../lists/list.ts';
import { wholePage } from '../lists/page.ts';
import type { Caller } from '../identity/identity.ts';
import { withoutInnerFields } from './visible.ts';
import type { ResponseWriter } from '../operation/answering.ts';
import { addDateWarnings } from '../operation/date-warnings.ts';
import type { Operation } from '../operation/operation.ts';

/** Returns the links to other pages. A page whose query was sent in a body has no address. */
const linksOf = (path: string, request: ListRequest, found: Page): string[] => [
  ...(found.next_cursor
    ? [`<${path}${request.link({ cursor: found.next_cursor, page: undefined })}>; rel="next"`]
    : []),
  ...(found.page > 1 ? [`<${path}${request.link({ page: String(found.page - 1) })}>; rel="prev"`] : []),
];

/** Parses the rows of a page. Each row contains only the requested fields. */
function rowParser(schema: z.ZodType, fields: ReadonlySet<string> | undefined) {
  if (!fields || !(schema instanceof z.ZodObject)) return (row: object) => schema.parse(row) as Record<string, unknown>;
  const shown = Object.entries<z.ZodType>(schema.shape).filter(([name]) => fields.has(name));
  return (row: object) =>
    Object.fromEntries(shown.map(([name, field]) => [name, field.parse((row as Record<string, unknown>)[name])]));
}

/** Returns a parsed record as this caller may see it. @param value the record before parsing */
const formatRecord = <T>(schema: z.ZodType, parsed: T, value: unknown, caller: Caller | null): T =>
  writeAmounts(schema, withoutInnerFields(schema, parsed, value, caller), value, caller?.currency);

function pageResponse(operation: Operation, request: ListRequest, found: Page, caller: Caller | null): StoredResponse {
  const { path, reply } = operation;
  const { rows, ...meta } = found;
  const parseRow = rowParser(reply.schema, request.fields);
  const records = rows.map((row) => {
    addActions(reply.schema, row, caller);
    return formatRecord(reply.schema, parseRow(row), row, caller);
  });
  const links = isListQuery(operation.query) ? linksOf(path, request, found) : [];
  return { status: 200, body: { data: records, meta }, ...(links.length && { headers: { Link: links.join(', ') } }) };
}

/**
 * Returns the ETag of a record. It contains the version, which `If-Match` compares, and a digest of the body. The
 * digest also changes with embedded names of other records and with the chosen fields.
 */
const etagOf = (version: number, data: object): string =>
  `"${version}-${createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 12)}"`;

/** Returns a list that is always complete, with its metadata. */
function wholeList(data: object[]): { data: object[]; meta: Omit<Page, 'rows'> } {
  const { rows, ...meta } = wholePage(data);
  return { data: rows, meta };
}

/**
 * Converts a handler's value to the response. Parsing drops every field that the schema does not name, so that no
 * column leaks by accident. A value that does not fit is a bug and returns 500.
 */
export function toResponse(
  operation: Operation,
  input: { query: unknown; body: unknown; caller: Caller | null; choice?: Choice | undefined },
  value: unknown,
): RequestOutcome {
  if (value instanceof Fault) return value;
  const { reply } = operation;
  if (reply.shape === 'stream') return value as ResponseWriter;
  if (reply.shape === 'page') return pageResponse(operation, input.query as ListRequest, value as Page, input.caller);
  const asItIs = { created: reply.status === 201, record: value, repeated: false };
  const { created, record, repeated } =
    reply.shape === 'upserted' || reply.shape === 'repeatable'
      ? { ...asItIs, ...(value as { created?: boolean; repeated?: boolean; record: unknown }) }
      : asItIs;
  addActions(reply.schema, record, input.caller);
  const parsed = reply.schema.parse(record) as { version?: unknown };
  addDateWarnings(reply.days, input.body, parsed, input.caller);
  const body = formatRecord(reply.schema, parsed, record, input.caller);
  const offered = input.choice && choicesOf(operation);
  const data = offered ? chooseFields(body, input.choice!, offered) : body;
  const headers = typeof body?.version === 'number' ? { ETag: etagOf(body.version, data) } : undefined;
  return {
    status: created ? 201 : 200,
    body: Array.isArray(data) ? wholeList(data) : { data },
    ...(headers && { headers }),
    ...(repeated && { replayed: true }),
  };
}

/**
 * Sends a stored response with its headers, and caches it if declared.
 * @param compress whether the response may be compressed: it contains no secrets
 */
export function sendStored(
  request: Request,
  response: Response,
  operation: Operation,
  answer: StoredResponse,
  { request_id, compress }: { request_id: string; compress: boolean },
): void {
  const { status } = answer;
  const { reply, access } = operation;
  if (answer.replayed) response.setHeader('Idempotent-Replayed', 'true');
  for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
  if (reply.max_age_s !== undefined && status === 200) {
    const scope = access.kind === 'public' ? 'public' : 'private';
    storeInCaches(response, JSON.stringify(answer.body), { max_age_s: reply.max_age_s, scope });
  }
  const body = status >= 400 ? { ...answer.body, request_id } : answer.body;
  sendJson(request, response, { status, body, compress });
}
