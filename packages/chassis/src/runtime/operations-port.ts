import type { Server } from 'node:http';
import type { Registry } from 'prom-client';
import { http } from './memory.ts';

/** Serves liveness, readiness and metrics on a separate port, which no user reaches. */
export async function serveOperationsPort(options: {
  host: string;
  port: number;
  registry: Registry;
  /** Returns the names of the parts that are not ready yet. Never calls other services. */
  notReady: () => Promise<string[]>;
}): Promise<Server> {
  const server = http.createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const failed = (error: unknown) => answer(500, { message: String(error) });
    if (request.url === '/health/live') return void answer(200, { status: 'live' });
    if (request.url === '/health/ready') {
      options
        .notReady()
        .then(
          (missing) => answer(missing.length ? 503 : 200, { status: missing.length ? 'not ready' : 'ready', missing }),
          failed,
        );
      return;
    }
    if (request.url === '/metrics') {
      options.registry
        .metrics()
        .then((text) => response.writeHead(200, { 'content-type': options.registry.contentType }).end(text), failed);
      return;
    }
    answer(404, { message: 'Use /health/live, /health/ready or /metrics.' });
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(options.port, options.host, resolve),
  );
  return server;
}
