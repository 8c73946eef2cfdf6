import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from './problem.ts';

/**
 * Makes sure that every port can be had before anything is started. `patience_ms`: how long processes of a suite that
 * was killed are given to go away.
 */
export async function checkPorts(
  wanted: Array<{ port: number; wanted_by: string }>,
  patience_ms: number,
): Promise<void> {
  const started = performance.now();
  for (const { port, wanted_by } of wanted) {
    while (!(await isFree(port))) {
      if (performance.now() - started > patience_ms) {
        throw new Problem(
          `Port ${port} is taken, and ${wanted_by} needs it: stop what listens there, or choose other ports with PORT (PORT=5000 npm start).`,
        );
      }
      await pause(100);
    }
  }
}

/** Plans again until nobody listens on any of the planned ports. */
export async function withFreePorts<Plan>(
  plan: () => Plan,
  portsOf: (plan: Plan) => Array<{ port: number; wanted_by: string }>,
): Promise<Plan> {
  for (let tries = 0; tries < 50; tries += 1) {
    const planned = plan();
    const free = await Promise.all(portsOf(planned).map(({ port }) => isFree(port)));
    if (free.every(Boolean)) return planned;
  }
  throw new Problem('No free ports were found for a suite.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((answer, fail) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') answer(false);
      else if (error.code === 'EACCES') fail(new Problem(`Port ${port} may not be used by this user.`));
      else fail(error);
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => answer(true)));
  });
}
