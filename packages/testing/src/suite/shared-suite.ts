/**
 * The process of a suite that several test files share: `node shared-suite.ts <folder> <pid of the run> <kind>`. It
 * ends with the Jest run.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval } from 'node:timers/promises';
import { freePort } from '@suite/local/ports';
import { type ProcessKind, kinds } from '../starting/kinds.ts';
import { startSuiteIn } from '../starting/start-in.ts';

const [, , place = '', run_pid, kind] = process.argv;
const LOOK_MS = 1_000;

function reportFacts(facts: object): void {
  const file = join(place, 'suite.json');
  writeFileSync(`${file}.new`, JSON.stringify(facts));
  renameSync(`${file}.new`, file);
}

const isRunning = (): boolean => {
  try {
    return process.kill(Number(run_pid), 0);
  } catch {
    return false;
  }
};

const ended = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  void (async () => {
    for await (const _ of setInterval(LOOK_MS)) if (!isRunning()) resolve();
  })();
});
try {
  const stripe_port = await freePort();
  const suite = await startSuiteIn(place, kinds[kind as ProcessKind](stripe_port));
  const { url, data, databases, demo, processes } = suite;
  const addresses = Object.entries(processes).map(([name, process]) => [name, { name, url: process.url }]);
  const gateway = processes['gateway']?.url;
  reportFacts({
    pid: process.pid,
    url,
    data,
    databases,
    demo,
    gateway,
    stripe_port,
    processes: Object.fromEntries(addresses),
  });
  await ended;
  await suite.stop();
} catch (error) {
  reportFacts({ error: (error as Error).message });
}
process.exit();
