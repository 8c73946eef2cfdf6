/** One call: connected, sent and answered within its limits, or given up. */
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { asFailure, OutgoingFailure } from './failure.ts';

/** A request to a server outside. */
export interface OutgoingRequest {
  url: string;
  /** GET, when it is not given. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** The time that is left for it, where that is less than a call may take. */
  within_ms?: number;
}

/** The answer of a server, whatever its status. A redirect is an answer like others: it is not followed. */
export interface OutgoingAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The body as text. */
  text(): string;
}

/** The limits of one call. */
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

/** Waits until a request is connected: with TLS, until the certificate was checked. */
function connected(request: ClientRequest, event: 'connect' | 'secureConnect', done: () => void): void {
  request.once('socket', (socket) => socket.once(event, done));
}

/** Calls once. @param lookup finds the address of the host @throws OutgoingFailure */
export async function callOnce(
  url: URL,
  { method = 'GET', headers = {}, body }: OutgoingRequest,
  lookup: LookupFunction,
  { connect_ms, whole_ms, max_bytes }: CallLimits,
): Promise<OutgoingAnswer> {
  const isSecure = url.protocol === 'https:';
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  // An agent of its own, so that each call makes a connection of its own, whose address is judged.
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
      // An answer that is none, such as a change of the protocol, closes the connection without a word.
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
    // An answer that was broken off tells nothing of the reason.
    throw late ?? asFailure(error);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    request.destroy();
  }
}
