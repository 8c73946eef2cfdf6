/**
 * Measures the downtime of a killed process. Processes are killed one after the other, as soon as all are ready again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { readiness } from '@suite/local/health';
import type { Figure } from '../report/figure.ts';
import type { BenchFixture } from '../fixture/fixture.ts';

const KILLED = ['platform', 'crm', 'inventory', 'finance', 'gateway'];
const KILLS = 35;
const PATIENCE_MS = 30_000;
const LOOK_MS = 20;

const isReady = async (operations_url: string): Promise<boolean> => (await readiness(operations_url, 2_000)).isComplete;

/** Kills a process. @returns the time until all processes were ready again */
async function kill({ suite }: BenchFixture, name: string): Promise<number> {
  const urls = Object.values(suite.processes).flatMap(({ operations_url }) => operations_url ?? []);
  const killed = suite.processes[name]!;
  const pid = killed.pid();
  const begun = performance.now();
  killed.kill('SIGKILL');
  while (performance.now() < begun + PATIENCE_MS) {
    const isAnother = ![null, pid].includes(killed.pid());
    if (isAnother && (await Promise.all(urls.map(isReady))).every(Boolean)) return performance.now() - begun;
    await pause(LOOK_MS);
  }
  throw new Error(`${name} was not ready again within ${PATIENCE_MS} ms.`);
}

export async function restart(fixture: BenchFixture): Promise<Figure[]> {
  const took_ms: number[] = [];
  for (let at = 0; at < KILLS; at += 1) took_ms.push(await kill(fixture, KILLED[at % KILLED.length]!));
  const sorted = took_ms.toSorted((a, b) => a - b);
  return [
    {
      figure: 'restart',
      title: `Time until all is ready again after a \`kill -9\`, ${KILLS} times without a pause (p95)`,
      value: sorted[Math.ceil(KILLS * 0.95) - 1]! / 1_000,
      unit: 's',
      target: { at_most: 3 },
      rounds: { measured: took_ms.map(Math.round), baseline: [] },
    },
  ];
}
