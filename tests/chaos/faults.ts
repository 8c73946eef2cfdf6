/** Faults of a suite under load. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { readiness } from '@suite/local/health';
import { waitFor } from '@suite/testing/waiting';
import type { OwnSuite } from '@suite/testing/suite/started';

/** Response timeout, longer than a process needs while it starts. */
const ANSWER_MS = 10_000;

/** Asserts that gateway and services are ready, with their databases and NATS. */
async function assertReady({ processes }: OwnSuite): Promise<void> {
  const urls = Object.values(processes).flatMap(({ operations_url }) => operations_url ?? []);
  const found = await Promise.all(urls.map((url) => readiness(url, ANSWER_MS)));
  expect(found.filter(({ isComplete }) => !isComplete)).toEqual([]);
}

/**
 * Kills processes concurrently and without warning, and waits until everything is ready again. @returns the time that
 * took
 */
export async function killAndAwaitRecovery(
  suite: OwnSuite,
  names: readonly string[],
  patience_ms: number,
): Promise<number> {
  const began = performance.now();
  const struck = names.map((name) => ({ held: suite.processes[name], pid: suite.processes[name]?.pid() }));
  for (const { held } of struck) held?.kill('SIGKILL');
  for (const { held, pid } of struck) await waitFor(() => expect([null, pid]).not.toContain(held?.pid()), patience_ms);
  await waitFor(() => assertReady(suite), patience_ms);
  return performance.now() - began;
}

/** Processes to kill concurrently, and the delay after all processes have recovered from the previous kill. */
export interface ScheduledKill {
  killed: string[];
  after_ms: number;
}

/**
 * Draws kills of all these processes. Only the seed determines the order, the groups of up to `most` processes, and the
 * delays.
 */
export function planKills(seed: number, killed: readonly string[], most: number, within_ms: number): ScheduledKill[] {
  const all = { minLength: killed.length, maxLength: killed.length };
  const drawn = fc.tuple(
    fc.shuffledSubarray([...killed.keys()], all),
    fc.array(fc.noBias(fc.integer({ min: 1, max: most })), all),
    fc.array(fc.noBias(fc.integer({ min: 0, max: within_ms })), all),
  );
  const [[order, sizes, instants]] = fc.sample(drawn, { seed, numRuns: 1 }) as [[number[], number[], number[]]];
  const struck: ScheduledKill[] = [];
  for (let at = 0; at < order.length; at += Number(sizes[struck.length - 1])) {
    const names = order.slice(at, at + Number(sizes[struck.length])).map((place) => String(killed[place]));
    struck.push({ killed: names, after_ms: Number(instants[struck.length]) });
  }
  return struck;
}

/** Kills a process repeatedly, so that it is down for most of the time `for_ms`. */
export async function keepDown(suite: OwnSuite, name: string, for_ms: number): Promise<void> {
  const held = suite.processes[name];
  const began = performance.now();
  while (performance.now() - began < for_ms) {
    if (held?.pid()) held.kill('SIGKILL');
    await pause(20);
  }
}
