import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startChild } from './supervision/child.ts';
import { demoFile, engineFlags, environmentOf, type Servers } from './environment.ts';
import type { Plan, PlannedProcess } from './plan.ts';
import { LaunchError } from './launch-error.ts';
import { ProcessOutput } from './supervision/process-output.ts';

/** The logins of the demo workspace, as its seed wrote them down. */
export interface Demo {
  password: string;
  logins: Array<{ role: string; email: string }>;
}

/** Fills the demo workspace, service by service; each service once. */
export async function seedDemo(plan: Plan, servers: Servers, signal?: AbortSignal): Promise<void> {
  for (const { planned, seed } of waitingSeeds(plan)) {
    const output = new ProcessOutput(planned.name, () => {});
    const child = await startChild({
      command: process.execPath,
      args: [...engineFlags, seed],
      cwd: plan.root,
      env: environmentOf(plan, planned, servers),
      log: join(plan.data, 'logs', 'demo.log'),
      onLine: (line) => output.hear(line),
    });
    signal?.addEventListener('abort', () => void child.stop('SIGTERM', 5000));
    const exit = await child.exited;
    if (signal?.aborted) return;
    if (exit.code !== 0) {
      const reason = output.exitReason() ?? 'see logs/demo.log';
      throw new LaunchError(`The demo data of ${planned.name} could not be made: ${reason}`);
    }
    writeFileSync(doneFile(plan), JSON.stringify([...doneSeeds(plan), planned.name]));
  }
}

/** Says in the data directory that a first start makes it, until its demo is whole; what others have made is never marked. */
export function markFirstStart(plan: Plan): void {
  const isOurs = Object.keys(plan.config.database_urls).length === 0 && !plan.config.nats_url;
  if (isOurs && !existsSync(join(plan.data, 'postgres'))) writeFileSync(markFile(plan), '');
}

/** Whether the data are those of a first start that was interrupted: half a demo, and nothing else. */
export const isHalfMade = (plan: Plan): boolean => existsSync(markFile(plan));

/** From here on the data are somebody's work. */
export const endFirstStart = (plan: Plan): void => rmSync(markFile(plan), { force: true });

const markFile = (plan: Plan) => join(plan.data, 'demo.unfinished');

/** Whether a service's part of the demo workspace is still to be made. */
export function lacksDemo(plan: Plan): boolean {
  return waitingSeeds(plan).length > 0;
}

function waitingSeeds(plan: Plan): Array<{ planned: PlannedProcess; seed: string }> {
  const done = doneSeeds(plan);
  return plan.processes.flatMap((planned) => {
    const seed = planned.row.demo;
    const isReplica = planned.name !== planned.row.name;
    if (!seed || isReplica || done.includes(planned.name) || !existsSync(resolve(plan.root, seed))) return [];
    return [{ planned, seed }];
  });
}

const doneFile = (plan: Plan) => join(plan.data, 'demo.done');

function doneSeeds(plan: Plan): string[] {
  try {
    return JSON.parse(readFileSync(doneFile(plan), 'utf8')) as string[];
  } catch {
    // Missing, or cut short by a crash: a seed that runs again changes nothing.
    return [];
  }
}

/** The demo logins, or null when there is no demo workspace. */
export function readDemo(plan: Plan): Demo | null {
  const file = demoFile(plan);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Demo) : null;
}
