/** Measures the memory of the processes: when idle, and after a minute of load. */
import { setTimeout as pause } from 'node:timers/promises';
import { residentMiB } from '../../load/resident-memory.ts';
import type { Figure } from '../report/figure.ts';
import type { BenchFixture } from '../fixture/fixture.ts';
import { gatewayUrl } from './sides.ts';
import { CONNECTIONS } from './works.ts';

const IDLE_MS = 20_000;

/** Returns the memory of each process of the suite by name. */
function eachResident({ suite }: BenchFixture): Map<string, number> {
  const found = new Map<string, number>();
  for (const [name, { pid }] of Object.entries(suite.processes)) {
    const id = pid();
    if (name === 'postgres' || name === 'nats' || id === null) continue;
    found.set(name, residentMiB(id));
  }
  return found;
}

/** Measures each process of the suite, compared with a process that only forwards requests with express. */
export async function memory(fixture: BenchFixture): Promise<Figure[]> {
  const bare = await fixture.baseline('../../bare-stack/src/proxy.ts', { target: fixture.service('platform') });
  await pause(IDLE_MS);
  const base = residentMiB(bare.pid);
  bare.stop();
  return [...eachResident(fixture)].map(([name, value]) => ({
    figure: `memory-${name}`,
    title: `Resident memory of \`${name}\` when idle (a bare express proxy: ${Math.round(base)} MiB)`,
    value,
    unit: 'MiB',
    target: { at_most: 100 },
    rounds: { measured: [value], baseline: [base] },
  }));
}

const LOAD_S = 60;

/** Measures memory again after a minute of the most frequent operations on 16 connections. */
export async function memoryLoaded(fixture: BenchFixture): Promise<Figure[]> {
  const { load, suite } = fixture;
  const business = await fixture.business(1_000);
  const url = gatewayUrl(suite);
  const works: { path: string; body?: object }[] = [
    { path: '/api/leads' },
    { path: '/api/lead/create', body: { name: 'Grace Hopper' } },
    { path: '/api/customers' },
    { path: '/api/customers/create', body: { name: 'Grace Hopper' } },
    { path: '/api/products' },
    { path: '/api/sales-invoice/create', body: business.invoice },
  ];
  for (const { path, body } of works) {
    const headers = { authorization: await business.authorization(), 'content-type': 'application/json' };
    const written = body && ({ method: 'POST', body: JSON.stringify(body) } as const);
    await load.fire({ url: `${url}${path}`, headers, ...written, connections: CONNECTIONS }, LOAD_S / works.length);
  }
  return [...eachResident(fixture)].map(([name, value]) => ({
    figure: `memory-loaded-${name}`,
    title: `Resident memory of \`${name}\` after a minute of load`,
    value,
    unit: 'MiB',
    target: { at_most: 180 },
    rounds: { measured: [value], baseline: [] },
  }));
}
