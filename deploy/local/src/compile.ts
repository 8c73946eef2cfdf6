/**
 * Compiles the programs of all processes into the cache that they share. Without a configuration each loads everything and
 * refuses to start. One at a time per core: more of them would only wait for each other.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { engineFlags, runtime } from './environment.ts';
import { ROOT } from './plan.ts';
import { processes } from './processes.ts';

const programs = processes.flatMap(({ entry, demo = [] }) => [entry, ...demo.map((part) => part.program)]);

function load(program: string): Promise<void> {
  const child = spawn(process.execPath, [...engineFlags, program], { cwd: ROOT, env: runtime(ROOT), stdio: 'ignore' });
  return new Promise((resolve) => child.on('close', () => resolve()));
}

async function loadRest(): Promise<void> {
  for (let program = programs.shift(); program; program = programs.shift()) await load(program);
}

await Promise.all(Array.from({ length: availableParallelism() }, loadRest));
