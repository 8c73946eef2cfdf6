/** `npm run streams [-- --streams <n>]`: measures open streams of changes, and stores the results. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSuite } from '@suite/local/suite';
import { UNLIMITED } from '@suite/testing/starting/limits';
import { openWorkspace } from '@suite/testing/suite/workspace';
import { openStream, type OpenStream } from './open-stream.ts';
import { type Measured, measure } from './processes.ts';
import { reportOf } from './report.ts';

const RESULTS = 'docs/operations/results/streams.md';
/** The limit of the gateway for one user. */
const PER_USER = 20;
const SETTLE_MS = 20_000;
const IDLE_MS = 60_000;

// The arguments, already validated by scripts/streams.mjs.
const [count = '1000', data = ''] = process.argv.slice(2);

const suite = await startSuite({
  data,
  port: 'free',
  demo: false,
  // All clients of this program have one address.
  environment: { LOG_LEVEL: 'warn', CONNECTIONS_PER_ADDRESS: '4096', RATE_LIMITS: JSON.stringify(UNLIMITED) },
});
try {
  const access = { ...suite, gateway: String(suite.processes['gateway']?.url) };
  const workspaces: Awaited<ReturnType<typeof openWorkspace>>[] = [];
  while (workspaces.length * PER_USER < Number(count)) workspaces.push(await openWorkspace(access));
  await pause(SETTLE_MS);
  const before = measure(suite.processes);

  const streams: OpenStream[] = [];
  for (const { owner } of workspaces)
    for (let number = 0; number < PER_USER; number += 1) streams.push(await openStream(access.gateway, owner));
  await pause(SETTLE_MS);
  const open = measure(suite.processes);
  await pause(IDLE_MS);
  const idle = measure(suite.processes);

  const arrivals_ms: number[] = [];
  for (const [at, { owner }] of workspaces.entries()) {
    const own = streams.slice(at * PER_USER, (at + 1) * PER_USER);
    const { body } = await owner.post('/api/lead/create', { name: 'Bell' });
    const created = performance.now();
    await Promise.all(own.map(({ contains }) => contains(body.data.id)));
    arrivals_ms.push(performance.now() - created);
  }
  const after = measure(suite.processes);

  const results: Measured = { streams: streams.length, before, open, idle, after, idle_ms: IDLE_MS, arrivals_ms };
  mkdirSync(dirname(RESULTS), { recursive: true });
  const report = reportOf(results);
  writeFileSync(RESULTS, report);
  console.log(report);
  for (const { close } of streams) close();
} finally {
  await suite.stop();
}
process.exit();
