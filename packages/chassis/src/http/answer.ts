/** HTTP responses: JSON (compressed if long), errors with a link to their explanation, and error pages. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { faultPage } from '../files/fault-page.ts';
import type { Operation } from '../operation/operation.ts';
import { type Fault, Unavailable } from '../runtime/fault.ts';
import { absoluteUrl } from '../runtime/public-address.ts';
import { http } from '../runtime/memory.ts';

/** Returns the path of the gateway's explanation of an error code. */
export const docsUrl = (code: string): string => `/docs/errors#${code}`;

/** Returns the body of a fault as sent, without the request ID. */
export const faultBody = ({ message, code, errors, details }: Fault) => ({
  message,
  code,
  errors,
  details,
  docs_url: absoluteUrl(docsUrl(code)),
});

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
const PROBLEM_ASKED_FOR = /application\/problem\+json(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/**
 * Returns the error response. Clients that name the type of RFC 9457 in `Accept` get its members in addition to our
 * own.
 */
export function errorResponse(
  accept: string | undefined,
  status: number,
  body: object,
): { type: string; body: object } {
  if (!accept || !PROBLEM_ASKED_FOR.test(accept)) return { type: 'application/json; charset=utf-8', body };
  const { message, docs_url } = body as { message?: string; docs_url?: string };
  const problem = { type: docs_url, title: http.STATUS_CODES[status], status, detail: message };
  return { type: PROBLEM_TYPE, body: { ...problem, ...body } };
}

/** The smallest response to compress, in bytes. Shorter responses fit in one packet without compression. */
const COMPRESS_FROM = 1_024;
/** Measured: these settings compress lists to a quarter, at a third of the cost of the usual levels. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};
const GZIP = { level: 1, memLevel: 7 };

/**
 * Writes a JSON response.
 * @param compress true if the response may be compressed. False if it contains secrets (BREACH): its length must not
 * reveal them
 */
export function sendJson(
  request: Request,
  response: Response,
  { status, body, compress }: { status: number; body: object; compress: boolean },
): void {
  const answer =
    status < 400
      ? { type: 'application/json; charset=utf-8', body }
      : errorResponse(request.headers.accept, status, body);
  const text = JSON.stringify(answer.body);
  response.status(status).setHeader('Content-Type', answer.type);
  if (!compress) return void response.send(text);
  response.vary('Accept-Encoding');
  const coding =
    text.length >= COMPRESS_FROM && request.headers['accept-encoding'] && request.acceptsEncodings('br', 'gzip');
  if (coding !== 'br' && coding !== 'gzip') return void response.send(text);
  response.setHeader('Content-Encoding', coding);
  const etag = response.getHeader('ETag');
  // Compression changes the bytes, so only a weak ETag identifies both forms.
  if (typeof etag === 'string' && !etag.startsWith('W/')) response.setHeader('ETag', `W/${etag}`);
  response.send(coding === 'br' ? brotliCompressSync(text, BROTLI) : gzipSync(text, GZIP));
}

/** Returns true if a browser opened the link of a public operation, to show the response to a reader. */
const isOpenedByReader = ({ access, method }: Operation, request: Request): boolean =>
  access.kind === 'public' && method === 'GET' && request.accepts(['json', 'html']) === 'html';

/** Sends a fault as an HTML page. */
function sendFaultPage(response: Response, fault: Fault): void {
  const { headers, html } = faultPage(fault.message);
  response.vary('Accept');
  response.writeHead(fault.status, headers).end(html);
}

/** Sends a fault: as an HTML page for links, as JSON for all other clients. */
export function sendFault(
  request: Request,
  response: Response,
  fault: Fault,
  request_id: string,
  operation?: Operation,
): void {
  if (response.headersSent) return void response.destroy();
  if (fault.status === 401) response.setHeader('WWW-Authenticate', 'Bearer error="invalid_token"');
  const soon = fault.retryable || fault.status === Unavailable.status ? 1 : undefined;
  const { retry_after_s: wait = soon }: { retry_after_s?: number } = fault.details ?? {};
  if (wait !== undefined) response.setHeader('Retry-After', Math.ceil(wait));
  if (operation && isOpenedByReader(operation, request)) return sendFaultPage(response, fault);
  sendJson(request, response, { status: fault.status, body: { ...faultBody(fault), request_id }, compress: false });
}
