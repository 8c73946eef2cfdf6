/**
 * Compiles the programs of all processes into their shared cache. Without a configuration, each program loads all its
 * modules and then refuses to start. Runs one compilation per core, because more would not be faster.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { WORKER } from './demo/workers.ts';
import { engineFlags, runtime } from './environment.ts';
import { ROOT } from './plan.ts';
import { processes } from './processes.ts';

const demo = processes.flatMap((row) => (row.demo ?? []).map((part) => part.program));
const commands = [[WORKER, ...demo], ...processes.map(({ entry }) => [entry])];

function load(command: string[]): Promise<void> {
  const child = spawn(process.execPath, [...engineFlags, ...command], {
    cwd: ROOT,
    env: runtime(ROOT),
    stdio: 'ignore',
  });
  return new Promise((resolve) => child.on('close', () => resolve()));
}

async function loadRest(): Promise<void> {
  for (let command = commands.shift(); command; command = commands.shift()) await load(command);
}

await Promise.all(Array.from({ length: availableParallelism() }, loadRest));
