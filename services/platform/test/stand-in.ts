/** Fakes of external servers, in the process of the test. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from '@jest/globals';

/** Request that a fake server received. */
export interface Got {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Response of a fake server; undefined for a request that hangs. */
export interface Given {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
}

export interface FakeServer {
  url: string;
  /** All requests received since the start. */
  got: Got[];
  /** Aborts the waiting requests. */
  hangUp(): void;
}

function send(response: ServerResponse, { status = 200, headers = {}, json, text }: Given): void {
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, ...headers }).end(json === undefined ? text : JSON.stringify(json));
}

/**
 * Starts a fake external server, which is closed when the file ends. @param answer returns nothing for a request that
 * hangs
 */
export async function standIn(
  answer: (got: Got) => Given | undefined | Promise<Given | undefined>,
): Promise<FakeServer> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const taken = { method, path, headers, body: Buffer.concat(chunks).toString() };
      got.push(taken);
      void Promise.resolve(answer(taken)).then((given) => given && send(response, given));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, got, hangUp: () => server.closeAllConnections() };
}
