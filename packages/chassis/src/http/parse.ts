import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import express from 'express';
import type { ParseError } from 'jsonc-parser';
import type { z } from 'zod';
import { Fault, MalformedJson, PayloadTooLarge, UnsupportedMediaType, ValidationFailed } from '../runtime/fault.ts';
import { boundInput } from '../schema/bounded-input.ts';
import { CHARACTERS, textFault, shownField } from '../schema/text.ts';

const BODY_MAX = '256kb';
/** The largest body from pages of other sites. */
const SITES_BODY_MAX = '32kb';
/**
 * Rejects bytes that are not UTF-8, because they would be decoded as a different text. Rejects texts with too many
 * levels.
 */
function assertReadable(_request: IncomingMessage, _response: unknown, bytes: Buffer, encoding: string): void {
  if (encoding === 'utf-8' && !isUtf8(bytes)) throw MalformedJson();
  if (isTooDeep(bytes.toString('latin1'))) throw MalformedJson();
}
const parserUpTo = (limit: string) => express.json({ limit, strict: false, verify: assertReadable });
const [json, smallJson] = [parserUpTo(BODY_MAX), parserUpTo(SITES_BODY_MAX)];

type Issue = z.core.$ZodIssue;

/** Returns the issues of the closest variant of a union: the variant with the fewest faults. */
function closestIssues(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const nearest = issue.errors.toSorted((a, b) => a.length - b.length)[0]!;
  return nearest.flatMap((inner) => closestIssues({ ...inner, path: [...issue.path, ...inner.path] }));
}

const isDecodable = (part: string): boolean => {
  try {
    return decodeURIComponent(part).isWellFormed();
  } catch {
    return false;
  }
};

/** Rejects a query string whose percent-encoding is not UTF-8, because it would be decoded as a different text. */
export function assertEncoding(url: string): void {
  const [, query = ''] = url.split('?', 2);
  if (!query.includes('%') || isDecodable(query)) return;
  const wrong = query.split('&').find((pair) => !isDecodable(pair)) ?? '';
  const [name = ''] = wrong.split('=', 1);
  throw textFault(isDecodable(name) && name ? decodeURIComponent(name) : 'query', CHARACTERS);
}

/** Maximum number of wrong fields in a response. A client sees the others after correcting these. */
const ERRORS_MAX = 100;

/** Returns the messages of an issue, by field. */
const messagesOf = (issue: Issue): [field: string, message: string][] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.slice(0, ERRORS_MAX).map((key) => [[...issue.path, key].join('.'), 'Unknown field. Remove it.'])
    : [[issue.path.join('.'), issue.message]];

/** Checks input against a schema. @throws ValidationFailed with messages for the first 100 wrong fields */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(boundInput(schema, value));
  if (result.success) return result.data;
  const errors: Record<string, string[]> = Object.create(null);
  const issues = result.error.issues.slice(0, ERRORS_MAX).flatMap(closestIssues).slice(0, ERRORS_MAX);
  for (const [field, message] of issues.flatMap(messagesOf).slice(0, ERRORS_MAX))
    (errors[shownField(field) || 'body'] ??= []).push(message);
  const [[field, [message]]] = Object.entries(errors) as [[string, [string]]];
  throw new Fault(422, ValidationFailed.code, `${field}: ${message}`, { errors });
}

/**
 * The highest number of levels, more than any request body has. Recursive parsers and checks overflow the stack at some
 * thousands.
 */
const DEPTH_MAX = 200;

/**
 * Brackets, and strings to skip. A string also ends at a line break or the end of the text, as in the tolerant parser,
 * and every character is read once.
 */
const BRACKET_OR_STRING = /[[\]{}]|"(?:[^"\\\n\r]|\\.|\\$)*"?/gs;

/** Returns true if a text opens more levels of lists and objects than `DEPTH_MAX`. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(BRACKET_OR_STRING)) {
    if (sign === '[' || sign === '{') depth += 1;
    if (sign === ']' || sign === '}') depth -= 1;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}

/** Returns a fault with the position of the JSON error, without the content. */
async function malformedJson(text: unknown): Promise<Fault> {
  if (typeof text !== 'string' || isTooDeep(text)) return MalformedJson();
  // Loaded for the first malformed body.
  const { parse: parseTolerantly } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  parseTolerantly(text, errors, { disallowComments: true });
  if (!errors[0]) return MalformedJson();
  const before = text.slice(0, errors[0].offset).split(/\r\n|\n|\r/);
  const details = { line: before.length, column: before.at(-1)!.length + 1 };
  const message = `The request body is not valid JSON. Correct it. Check line ${details.line}, column ${details.column}.`;
  return new Fault(MalformedJson.status, MalformedJson.code, message, { details });
}

interface ParserError {
  type?: string;
  body?: unknown;
}

/** Returns the fault for an error of the body parser. */
async function parserFault({ type, body }: ParserError): Promise<Fault> {
  if (type === 'entity.too.large') return PayloadTooLarge();
  if (type === 'charset.unsupported' || type === 'encoding.unsupported') return UnsupportedMediaType();
  return await malformedJson(body);
}

/** Parses a JSON body that was read in full. @throws MalformedJson */
export async function parseJson(bytes: Buffer): Promise<unknown> {
  if (!isUtf8(bytes) || isTooDeep(bytes.toString('latin1'))) throw MalformedJson();
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw await malformedJson(bytes.toString());
  }
}

/**
 * Reads a JSON body of at most 256 KiB, or 32 KiB for small bodies. A missing body is an empty object.
 * @throws MalformedJson, PayloadTooLarge, UnsupportedMediaType
 */
export async function readJson(
  request: express.Request,
  response: express.Response,
  { small = false }: { small?: boolean | undefined } = {},
): Promise<unknown> {
  const {
    'content-type': type,
    'content-length': length,
    'transfer-encoding': chunked,
  } = (request as IncomingMessage).headers;
  if (!chunked && (length === undefined || length === '0')) return {};
  if (!type || !/^application\/json\s*(;|$)/i.test(type)) throw UnsupportedMediaType();
  const read = new Promise<void>((resolve, reject) => {
    (small ? smallJson : json)(request, response, (error?: Error) => (error ? reject(error) : resolve()));
  });
  await read.catch(async (error: ParserError) => {
    throw await parserFault(error);
  });
  return request.body;
}
