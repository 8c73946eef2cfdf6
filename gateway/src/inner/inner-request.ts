/**
 * Requests that the gateway sends to its own handler. They pass the same parser and the same chain as requests from
 * outside, over a connection in memory: no port, no proxy and no connection limit is involved.
 */
import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { http } from '@suite/chassis/gateway';

interface InnerRequest {
  method: string;
  /** Path with its query. */
  path: string;
  headers: Record<string, string>;
  /** JSON body. */
  body: string | undefined;
  /** Address of the client that sent the outer request. */
  address: string;
  /** True for a part of the outer request, which the rate limits have counted. */
  is_part?: boolean;
}

export interface InnerResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** JSON text, empty for a response without a body. The reason if the body was not read. */
  content: { text: string } | 'not_json' | 'too_large';
}

/** Sends a request. @throws the error of a connection that ends before the response */
export type SendInner = (request: InnerRequest) => Promise<InnerResponse>;

/** Largest response, in bytes. */
export const MAX_RESPONSE_BYTES = 1_024 * 1_024;
/** Room for the token of the outer request, the longest path and the headers of a call. */
const MAX_HEADER_BYTES = 64 * 1_024;
const JSON_TYPE = /^application\/(?:problem\+)?json\b/i;

/** Connections of requests that are part of an outer request. */
const parts = new WeakSet<Socket>();

/** Returns true for a request that is part of another one, so that the rate limits do not count it. */
export const isPart = ({ socket }: Pick<IncomingMessage, 'socket'>): boolean => parts.has(socket);

/** Creates the sender for a handler. */
export function innerSender(handler: RequestListener): SendInner {
  // Never listens: its connections are created here.
  const server = http.createServer({ maxHeaderSize: MAX_HEADER_BYTES }, handler);

  return ({ method, path, headers, body, address, is_part = false }) =>
    new Promise((resolve, reject) => {
      const [near, far] = duplexPair();
      near.once('close', () => far.destroy());
      const connection = Object.assign(far, { remoteAddress: address }) as unknown as Socket;
      if (is_part) parts.add(connection);
      server.emit('connection', connection);
      const request = http.request({ createConnection: () => near, method, path, headers }, (response) => {
        readResponse(response).then(resolve, reject);
      });
      request.on('error', reject).end(body);
    });
}

/** Reads a JSON response. Any other response is discarded. */
async function readResponse(response: IncomingMessage): Promise<InnerResponse> {
  const { statusCode: status = 502, headers } = response;
  const read = (content: InnerResponse['content']) => ({ status, headers, content });
  if (headers['content-type'] !== undefined && !JSON_TYPE.test(headers['content-type'])) {
    response.destroy();
    return read('not_json');
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop destroys the response.
    if (length > MAX_RESPONSE_BYTES) return read('too_large');
    chunks.push(chunk);
  }
  return read({ text: Buffer.concat(chunks).toString() });
}
