/**
 * Compiles what the processes run into the cache that they share, one after the other: without a configuration each
 * loads everything and refuses to start.
 */
import { spawnSync } from 'node:child_process';
import { engineFlags, runtime } from './environment.ts';
import { ROOT } from './plan.ts';
import { processes } from './processes.ts';

for (const program of processes.flatMap(({ entry, demo = [] }) => [entry, ...demo.map((part) => part.program)])) {
  spawnSync(process.execPath, [...engineFlags, program], { cwd: ROOT, env: runtime(ROOT) });
}
