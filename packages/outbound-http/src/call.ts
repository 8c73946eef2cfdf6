/** One outgoing call: connects, sends and receives the response within its limits, or fails. */
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { asFailure, OutgoingFailure } from './failure.ts';

/** A request to an external server. */
export interface OutgoingRequest {
  url: string;
  /** Defaults to GET. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** Remaining time for the call, if it is less than the limit of a call. */
  within_ms?: number;
}

/** Response of a server with any status. A redirect is returned and not followed. */
export interface OutgoingResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The body as text. */
  text(): string;
}

/** The limits of a single call. */
export interface CallLimits {
  connect_ms: number;
  whole_ms: number;
  max_bytes: number;
}

async function bodyOf(response: IncomingMessage, max_bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > max_bytes) throw new OutgoingFailure('answer_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Waits until a request is connected. With TLS, this includes the check of the certificate. */
function connected(request: ClientRequest, event: 'connect' | 'secureConnect', done: () => void): void {
  request.once('socket', (socket) => socket.once(event, done));
}

/** Sends a request once. @param lookup resolves the address of the host @throws OutgoingFailure */
export async function callOnce(
  url: URL,
  { method = 'GET', headers = {}, body }: OutgoingRequest,
  lookup: LookupFunction,
  { connect_ms, whole_ms, max_bytes }: CallLimits,
): Promise<OutgoingResponse> {
  const isSecure = url.protocol === 'https:';
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  // No shared agent: each call opens its own connection, so that its address is checked.
  const options = { method, headers: { ...headers, ...length }, agent: false, lookup } as const;
  const request = (isSecure ? secure : plain)(url, options);
  const timers: NodeJS.Timeout[] = [];
  let late: OutgoingFailure | undefined;
  const giveUp = () => {
    late = new OutgoingFailure('timeout');
    request.destroy(late);
  };
  const giveUpIn = (ms: number) => {
    const timer = setTimeout(giveUp, ms);
    timers.push(timer);
    return timer;
  };
  giveUpIn(whole_ms);
  const connecting = giveUpIn(connect_ms);
  connected(request, isSecure ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      request.on('error', reject);
      // An invalid response, such as a protocol upgrade, closes the connection without an error.
      request.once('close', () => reject(new OutgoingFailure('malformed_answer')));
      request.end(body);
    });
    const content = await bodyOf(response, max_bytes);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: content,
      text: () => content.toString('utf8'),
    };
  } catch (error) {
    // An interrupted response reveals nothing about the reason.
    throw late ?? asFailure(error);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    request.destroy();
  }
}
