/** Starts the suite of a drill in a process of its own, and ends it in an orderly way or suddenly. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { SuiteAccess } from '@suite/testing/suite/workspace';
import type { Order } from './suite-process.ts';

const PROGRAM = fileURLToPath(new URL('suite-process.ts', import.meta.url));

/** A running suite. */
export interface DrilledSuite extends SuiteAccess {
  /** Stops all processes in order, or kills them without warning. Resolves when none is left. */
  end(order: 'stop' | 'lose'): Promise<void>;
  /** Pauses a process of the suite until the suite is lost. */
  freeze(name: string): Promise<void>;
}

/**
 * Starts a suite.
 * @param settings additional environment of the suite
 * @throws Error if it does not start. Its reason is printed
 */
export async function startDrilledSuite(data: string, settings: Record<string, string> = {}): Promise<DrilledSuite> {
  const child = fork(PROGRAM, [data], { env: { ...process.env, ...settings } });
  const ended = once(child, 'exit');
  const send = (order: Order) => void child.send(order);
  const started = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
  if (!started) throw new Error('The suite of the drill did not start.');
  return {
    ...(started[0] as SuiteAccess),
    async end(order) {
      send(order);
      await ended;
    },
    async freeze(name) {
      const frozen = once(child, 'message');
      send({ freeze: name });
      await frozen;
    },
  };
}
