/** How much memory the processes take while nobody asks them anything. */
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../report/figure.ts';
import type { BenchFixture } from '../fixture/fixture.ts';

const IDLE_MS = 20_000;

/** What a process holds in memory, in MiB, as Linux counts it. */
async function resident(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Each process of the suite beside a process that only forwards requests with express. */
export async function memory({ suite, service, baseline }: BenchFixture): Promise<Figure[]> {
  const bare = await baseline('../bare/proxy.ts', { target: service('platform') });
  await pause(IDLE_MS);
  const base = await resident(bare.pid);
  const figures: Figure[] = [];
  for (const [name, { pid }] of Object.entries(suite.processes)) {
    const id = pid();
    if (name === 'postgres' || name === 'nats' || id === null) continue;
    const value = await resident(id);
    figures.push({
      figure: `memory-${name}`,
      title: `Resident memory of \`${name}\` when idle (a bare express proxy beside it: ${Math.round(base)} MiB)`,
      value,
      unit: 'MiB',
      target: { at_most: 110 },
      rounds: { measured: [value], baseline: [base] },
    });
  }
  bare.stop();
  return figures;
}
