/** For tests: servers of others, in the process of the test. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from '@jest/globals';

/** A request that a stand-in got. */
export interface Got {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The answer of a stand-in; none at all for one that hangs. */
export interface Given {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
}

export interface StandIn {
  url: string;
  /** All requests so far. */
  got: Got[];
  /** Breaks off the requests that wait for an answer. */
  hangUp(): void;
}

function send(response: ServerResponse, { status = 200, headers = {}, json, text }: Given): void {
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, ...headers }).end(json === undefined ? text : JSON.stringify(json));
}

/** Starts a server of somebody else, which is closed when the file ends. @param answer answers nothing for a server that hangs */
export async function standIn(answer: (got: Got) => Given | undefined | Promise<Given | undefined>): Promise<StandIn> {
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
