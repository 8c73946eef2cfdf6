import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { deadline } from './config.ts';
import { http } from './memory.ts';
import { showDependencies } from './metrics.ts';

/** Checks, by name, whether the programs that a process depends on respond. Never calls other services. */
export type Dependencies = Readonly<Record<string, () => Promise<boolean> | boolean>>;

/** Longest duration of a check. A readiness probe of Kubernetes waits 1 s in total. */
const CHECK_MS = deadline(500);

/** Runs the checks concurrently. @returns whether each dependency responds, in order */
const checkAll = (dependencies: Dependencies): Promise<(readonly [name: string, responds: boolean])[]> =>
  Promise.all(
    Object.entries(dependencies).map(async ([name, check]) => {
      const late = pause(CHECK_MS, false, { ref: false });
      return [name, await Promise.race([check(), late]).catch(() => false)] as const;
    }),
  );

/**
 * Serves liveness, readiness and metrics on a separate port, which no user reaches. A process is ready until it stops.
 * If a dependency fails, it fails for all replicas. Kubernetes would then remove all of them from their Service, and
 * callers would get refused connections instead of responses, which name the reason and when to retry. A process that may
 * have the wrong database is not ready: what it accepts could be lost.
 */
export async function serveOperationsPort(options: {
  host: string;
  port: number;
  registry: Registry;
  /** Returns true if the process is about to stop. */
  isStopping: () => boolean;
  /** Returns what an operator must do before the process may receive requests. */
  refusal?: () => string | undefined;
  dependencies: Dependencies;
}): Promise<Server> {
  const { registry, dependencies, isStopping, refusal } = options;
  showDependencies(registry, () => checkAll(dependencies));
  const server = http.createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const failed = (error: unknown) => answer(500, { message: String(error) });
    if (request.url === '/health/live') return void answer(200, { status: 'live' });
    if (request.url === '/health/ready') {
      if (isStopping()) return void answer(503, { status: 'stopping' });
      const message = refusal?.();
      if (message) return void answer(503, { status: 'refused', message });
      checkAll(dependencies).then((checked) => {
        answer(200, { status: 'ready', degraded: checked.flatMap(([name, responds]) => (responds ? [] : [name])) });
      }, failed);
      return;
    }
    if (request.url === '/metrics') {
      registry
        .metrics()
        .then((text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text), failed);
      return;
    }
    answer(404, { message: 'Use /health/live, /health/ready or /metrics.' });
  });
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(options.port, options.host, resolve),
  );
  return server;
}
