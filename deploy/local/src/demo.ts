import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startChild } from './child.ts';
import { demoFile, environmentOf, type Servers } from './environment.ts';
import type { Plan } from './plan.ts';
import { Problem } from './problem.ts';
import { Voice } from './voice.ts';

/** The logins of the demo workspace, as its seed wrote them down. */
export interface Demo {
  password: string;
  logins: Array<{ role: string; email: string }>;
}

/** Fills the demo workspace on the first run, service by service; a service without a seed is passed over. */
export async function seedDemo(plan: Plan, servers: Servers, signal?: AbortSignal): Promise<void> {
  for (const planned of plan.processes) {
    const seed = planned.row.service?.demo;
    if (!seed || planned.name !== planned.row.name || !existsSync(resolve(plan.root, seed))) continue;
    const voice = new Voice(planned.name, () => {});
    const child = await startChild({
      command: process.execPath,
      args: [seed],
      cwd: plan.root,
      env: environmentOf(plan, planned, servers),
      log: join(plan.data, 'logs', 'demo.log'),
      onLine: (line) => voice.hear(line),
    });
    signal?.addEventListener('abort', () => void child.stop('SIGTERM', 5000));
    const exit = await child.exited;
    if (signal?.aborted) return;
    if (exit.code !== 0)
      throw new Problem(
        `The demo data of ${planned.name} could not be made: ${voice.lastWords() ?? 'see logs/demo.log'}`,
      );
  }
  if (readDemo(plan)) writeFileSync(join(plan.data, 'demo.done'), '');
}

/** Whether the demo workspace is still to be filled. */
export function lacksDemo(plan: Plan): boolean {
  const hasSeed = plan.rows.some(({ service }) => service && existsSync(resolve(plan.root, service.demo)));
  return hasSeed && !existsSync(join(plan.data, 'demo.done'));
}

/** The demo logins, or null when there is no demo workspace. */
export function readDemo(plan: Plan): Demo | null {
  const file = demoFile(plan);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Demo) : null;
}
