import { request } from 'node:http';
import { connect } from 'node:net';

/** A response, as it came. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  /** The parsed JSON body; undefined for a body that is not JSON. */
  body: ReturnType<typeof JSON.parse>;
}

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** Sends a request with its path exactly as written; `fetch` would normalize it. */
export function sendRequest(
  base: string,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<HttpResponse> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJson = response.headers['content-type']?.startsWith('application/json');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as HttpResponse['headers'],
          text,
          body: isJson && text ? JSON.parse(text) : undefined,
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** How long to wait for expected responses, and afterwards for one too many. */
const TIMEOUT_MS = 8_000;
const EXTRA_MS = 60;

/** Writes bytes to a connection and returns the bytes that come back, until so many responses came or it is closed. */
export function sendBytes(base: string, message: string, responses = 0): Promise<{ text: string; closed: boolean }> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ host: hostname, port: Number(port) });
    const done = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, closed });
    };
    let timer = setTimeout(done, TIMEOUT_MS, false);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (responses === 0 || text.split('HTTP/1.1 ').length <= responses) return;
      clearTimeout(timer);
      timer = setTimeout(done, EXTRA_MS, false);
    });
    socket.on('end', () => done(true));
    socket.on('error', () => done(true));
    socket.write(Buffer.from(message, 'latin1'));
  });
}
