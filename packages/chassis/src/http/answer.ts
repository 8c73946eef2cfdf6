/** Responses on the wire: JSON, compressed when it is long, errors with the address of their explanation, and error pages. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { faultPage } from '../files/fault-page.ts';
import type { Operation } from '../operation/operation.ts';
import { type Fault, Unavailable } from '../runtime/fault.ts';
import { absoluteUrl } from '../runtime/public-address.ts';
import { http } from '../runtime/memory.ts';

/** The path at which the gateway explains an error code. */
export const docsUrl = (code: string): string => `/docs/errors#${code}`;

/** A fault as it goes on the wire, but for the request id. */
export const faultBody = ({ message, code, errors, details }: Fault) => ({
  message,
  code,
  errors,
  details,
  docs_url: absoluteUrl(docsUrl(code)),
});

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';
const PROBLEM_ASKED_FOR = /application\/problem\+json(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

/** The answer for an error: with the members of RFC 9457 beside ours to those who name its type in `Accept`. */
export function errorAnswer(accept: string | undefined, status: number, body: object): { type: string; body: object } {
  if (!accept || !PROBLEM_ASKED_FOR.test(accept)) return { type: 'application/json; charset=utf-8', body };
  const { message, docs_url } = body as { message?: string; docs_url?: string };
  const problem = { type: docs_url, title: http.STATUS_CODES[status], status, detail: message };
  return { type: PROBLEM_TYPE, body: { ...problem, ...body } };
}

/** Shorter ones fit in a packet either way. */
const COMPRESS_FROM = 1_024;
/** Measured: lists shrink to a quarter with these, at a third of the work of the usual levels. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};
const GZIP = { level: 1, memLevel: 7 };

/**
 * Writes a JSON answer.
 * @param compress whether it may be compressed. Not where secrets stand in it (BREACH): their length must not tell them
 */
export function sendJson(
  request: Request,
  response: Response,
  { status, body, compress }: { status: number; body: object; compress: boolean },
): void {
  const answer =
    status < 400
      ? { type: 'application/json; charset=utf-8', body }
      : errorAnswer(request.headers.accept, status, body);
  const text = JSON.stringify(answer.body);
  response.status(status).setHeader('Content-Type', answer.type);
  if (!compress) return void response.send(text);
  response.vary('Accept-Encoding');
  const coding =
    text.length >= COMPRESS_FROM && request.headers['accept-encoding'] && request.acceptsEncodings('br', 'gzip');
  if (coding !== 'br' && coding !== 'gzip') return void response.send(text);
  response.setHeader('Content-Encoding', coding);
  const etag = response.getHeader('ETag');
  // The bytes are others than without compression: only as a weak tag the same one names both.
  if (typeof etag === 'string' && !etag.startsWith('W/')) response.setHeader('ETag', `W/${etag}`);
  response.send(coding === 'br' ? brotliCompressSync(text, BROTLI) : gzipSync(text, GZIP));
}

/** Whether a browser opened the link of a public operation, to show the response to a reader. */
const isOpenedByReader = ({ access, method }: Operation, request: Request): boolean =>
  access.kind === 'public' && method === 'GET' && request.accepts(['json', 'html']) === 'html';

/** Sends a fault as a page. */
function sendFaultPage(response: Response, fault: Fault): void {
  const { headers, html } = faultPage(fault.message);
  response.vary('Accept');
  response.writeHead(fault.status, headers).end(html);
}

/** Sends a fault: as a page to the reader of a link, as JSON to every other client. */
export function answerFault(
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
