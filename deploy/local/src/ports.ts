import { type AddressInfo, createServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { LaunchError } from './launch-error.ts';

/**
 * Checks that every port is free before anything is started. `patience_ms`: time that the processes of a killed suite
 * have to end.
 */
export async function checkPorts(
  wanted: Array<{ port: number; wanted_by: string }>,
  patience_ms: number,
): Promise<void> {
  const started = performance.now();
  for (const { port, wanted_by } of wanted) {
    while (!(await isFree(port))) {
      if (performance.now() - started > patience_ms) {
        throw new LaunchError(
          `Port ${port} is taken, and ${wanted_by} needs it: stop what listens there, or choose other ports with PORT (PORT=5000 npm start).`,
        );
      }
      await pause(100);
    }
  }
}

/** Port offset that no process of a suite listens on. A listener there has claimed the ports of this hundred. */
const CLAIM = 99;

/**
 * Repeats the plan until all planned ports are free and no other suite has claimed them. A claim is needed because
 * seconds pass before the last port is listened on.
 * @returns the plan, and a function that releases its ports
 */
export async function withFreePorts<Plan extends { port: number }>(
  plan: () => Plan,
  portsOf: (plan: Plan) => Array<{ port: number; wanted_by: string }>,
): Promise<{ plan: Plan; release(): void }> {
  for (let tries = 0; tries < 50; tries += 1) {
    const planned = plan();
    const claim = await listenOn(planned.port + CLAIM);
    if (!claim) continue;
    claim.unref(); // Lets the process exit while the claim is open.
    const free = await Promise.all(portsOf(planned).map(({ port }) => isFree(port)));
    if (free.every(Boolean)) return { plan: planned, release: () => claim.close() };
    claim.close();
  }
  throw new LaunchError('No free ports were found for a suite.');
}

async function isFree(port: number): Promise<boolean> {
  const server = await listenOn(port);
  return server !== undefined && (await new Promise((answer) => server.close(() => answer(true))));
}

/** Listens on a port. Returns undefined if the port is in use. */
function listenOn(port: number): Promise<Server | undefined> {
  return new Promise((answer, fail) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') answer(undefined);
      else if (error.code === 'EACCES') fail(new LaunchError(`Port ${port} may not be used by this user.`));
      else fail(error);
    });
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => answer(server));
  });
}

/** Returns a port of 127.0.0.1 that is unused now. */
export async function freePort(): Promise<number> {
  const server = await listenOn(0);
  const { port } = server!.address() as AddressInfo;
  return await new Promise((answer) => server!.close(() => answer(port)));
}
