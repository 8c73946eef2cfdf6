/**
 * Request validation. Rejects requests that the gateway and a service could interpret differently, before any other
 * step. These have encoded separators, dot segments, double slashes, backslashes, absolute targets or two Hosts.
 */
import type { IncomingMessage } from 'node:http';
import { PayloadTooLarge, TooManyParameters } from '@suite/chassis/gateway';
import { MalformedRequest, UnknownPath } from './faults.ts';

const MAX_URL = 4_096;
/** Far more than any list accepts. Each parameter takes time before its rejection. */
const MAX_PARAMETERS = 100;
const MAX_BODY_BYTES = 25 * 1024 * 1024;
/** E-mails of any length reach the service, which rejects large ones with a specific fault before reading them. */
const EMAIL = /^message\/rfc822\b/i;

const SLASH = 0x2f;
const DOT = 0x2e;
const QUESTION_MARK = 0x3f;
const HASH = 0x23;
const BACKSLASH = 0x5c;

/** Separators and NUL, encoded once or twice. */
const ENCODED_SEPARATOR = /%(?:25)*(?:2f|5c|00)/i;
const CONTROL = /\p{Cc}/u;

/**
 * Validates the target and the head of a request. Chosen: a path with an encoded separator, dot segment or control
 * character is unknown, like a path that is not UTF-8. A malformed public token therefore gets the same response as an
 * unknown one.
 * @returns its path without the query
 * @throws 400, 404 and 413
 */
export function validatedPath(request: IncomingMessage): string {
  const { url = '', headers } = request;
  const path = pathOfTarget(url);
  if (isAmbiguous(request)) throw MalformedRequest();
  const length = Number(headers['content-length'] ?? 0);
  if (length > MAX_BODY_BYTES && !EMAIL.test(headers['content-type'] ?? '')) {
    throw PayloadTooLarge();
  }
  return path;
}

/**
 * Validates the target of a request: a path with an optional query.
 * @returns its path without the query
 * @throws 400 and 404
 */
export function pathOfTarget(url: string): string {
  const end = url.length > MAX_URL ? -1 : endOfPath(url);
  if (end === -1) throw MalformedRequest();
  const path = end === url.length ? url : url.slice(0, end);
  if (end < url.length && hasTooManyParameters(url, end)) throw TooManyParameters();
  if (path.includes('%') && !isSafelyEncoded(path)) throw UnknownPath();
  return path;
}

/**
 * Returns the index at which the query begins, or -1 for an invalid target. Uses a single pass, because every request
 * runs this code.
 */
function endOfPath(url: string): number {
  if (url.charCodeAt(0) !== SLASH) return -1;
  let end = -1;
  for (let index = 1, before = SLASH; index < url.length; index += 1) {
    const code = url.charCodeAt(index);
    if (code <= 0x20 || code >= 0x7f || code === HASH) return -1;
    if (end !== -1) continue;
    if (code === QUESTION_MARK) end = index;
    else if (code === BACKSLASH || (code === SLASH && before === SLASH)) return -1;
    else if (code === DOT && before === SLASH && isDotSegment(url, index)) return -1;
    before = code;
  }
  return end === -1 ? url.length : end;
}

function hasTooManyParameters(url: string, start: number): boolean {
  let count = 1;
  for (let at = url.indexOf('&', start); at !== -1 && count <= MAX_PARAMETERS; at = url.indexOf('&', at + 1))
    count += 1;
  return count > MAX_PARAMETERS;
}

/** Checks for `.` or `..` up to the next separator. `isSafelyEncoded` checks dots before a `%`. */
function isDotSegment(url: string, start: number): boolean {
  const index = url.charCodeAt(start + 1) === DOT ? start + 2 : start + 1;
  const code = url.charCodeAt(index);
  return index === url.length || code === SLASH || code === QUESTION_MARK;
}

/**
 * Checks that decoding the path yields no separator, control character or dot segment.
 * @throws UnknownPath for a path that is not UTF-8, as in the services
 */
function isSafelyEncoded(path: string): boolean {
  if (ENCODED_SEPARATOR.test(path)) return false;
  const decoded = decodedPath(path).replaceAll(/%(?:25)*2e/gi, '.');
  return !CONTROL.test(decoded) && !decoded.split('/').some((segment) => segment === '.' || segment === '..');
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw UnknownPath();
  }
}

const UNREPEATABLE = new Set(['host', 'authorization']);

/** Checks for ambiguous heads: two Hosts, two tokens, or a body that is both chunked and has a length. */
function isAmbiguous({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return true;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return true;
  if (headers.host === undefined && httpVersion === '1.1') return true;
  let seen = 0;
  let expected = 0;
  if (headers.host !== undefined) expected += 1;
  if (headers.authorization !== undefined) expected += 1;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if ((name.length === 4 || name.length === 13) && UNREPEATABLE.has(name.toLowerCase())) seen += 1;
  }
  return seen !== expected;
}
