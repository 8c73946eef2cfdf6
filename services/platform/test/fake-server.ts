/** Fakes of external servers, in the process of the test. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from '@jest/globals';

/** Request that a fake server received. */
export interface FakeRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Response of a fake server. Undefined for a request that hangs. */
export interface FakeResponse {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
}

export interface FakeServer {
  url: string;
  /** All requests received since the start. */
  requests: FakeRequest[];
  /** Aborts the waiting requests. */
  hangUp(): void;
}

function send(response: ServerResponse, { status = 200, headers = {}, json, text }: FakeResponse): void {
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, ...headers }).end(json === undefined ? text : JSON.stringify(json));
}

/**
 * Starts a fake external server, which is closed when the file ends. @param answer returns nothing for a request that
 * hangs
 */
export async function fakeServer(
  answer: (requests: FakeRequest) => FakeResponse | undefined | Promise<FakeResponse | undefined>,
): Promise<FakeServer> {
  const requests: FakeRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const received = { method, path, headers, body: Buffer.concat(chunks).toString() };
      requests.push(received);
      void Promise.resolve(answer(received)).then((result) => result && send(response, result));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, hangUp: () => server.closeAllConnections() };
}
