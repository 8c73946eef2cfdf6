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
