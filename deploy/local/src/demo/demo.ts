import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { demoFile, environmentOf, type Servers } from '../environment.ts';
import type { StartPlan, PlannedProcess } from '../plan.ts';
import { LaunchError } from '../launch-error.ts';
import type { DemoPart } from '../processes.ts';
import { DemoWorkers } from './workers.ts';

/** The logins of the demo workspace, as recorded by its seed. */
export interface Demo {
  password: string;
  logins: Array<{ role: string; email: string }>;
}

/** More concurrent parts would only compete for the processor, with open transactions. */
const AT_ONCE = Math.max(2, availableParallelism());

/**
 * Fills the demo workspaces, each part once. A part runs concurrently with all others as soon as the parts it needs are
 * done.
 */
export async function seedDemo(plan: StartPlan, servers: Servers, signal?: AbortSignal): Promise<void> {
  const over = new AbortController();
  const ended = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const waiting = waitingParts(plan).toSorted((a, b) => Number(b.part.is_long ?? 0) - Number(a.part.is_long ?? 0));
  const running = new Map<string, Promise<void>>();
  const workers = new DemoWorkers(plan);
  ended.addEventListener('abort', () => void workers.stop());
  const isMissing = (name: string) => running.has(name) || waiting.some(({ part }) => part.name === name);
  const make = async (one: WaitingPart): Promise<void> => {
    const { name, program } = one.part;
    const request = { program, environment: environmentOf(plan, one.planned, servers) };
    const fault = await workers.make(request).finally(() => running.delete(name));
    if (fault && !ended.aborted) throw new LaunchError(`The demo data of ${name} could not be created: ${fault}`);
    if (!ended.aborted) writeFileSync(doneFile(plan), JSON.stringify([...doneParts(plan), name]));
  };
  try {
    while (!ended.aborted && waiting.length + running.size > 0) {
      const at = waiting.findIndex(({ part }) => !part.needs.some(isMissing));
      const [one] = at >= 0 && running.size < AT_ONCE ? waiting.splice(at, 1) : [];
      if (one) running.set(one.part.name, make(one));
      else {
        // All other parts wait for this one: the programs are loaded in the meantime.
        if (running.size === 1 && waiting.length > 1) workers.prepare(waiting.map(({ part }) => part.program));
        await Promise.race(running.values());
      }
    }
  } finally {
    over.abort();
    await workers.stop();
    await Promise.allSettled(running.values());
  }
}

/** Marks the data directory as a first start until its demo is complete. Never marks a directory with other data. */
export function markFirstStart(plan: StartPlan): void {
  const isOurs = Object.keys(plan.config.database_urls).length === 0 && !plan.config.nats_url;
  if (isOurs && !existsSync(join(plan.data, 'postgres'))) writeFileSync(markFile(plan), '');
}

/** Checks if the data comes from an interrupted first start: half a demo, and nothing else. */
export const isIncomplete = (plan: StartPlan): boolean => existsSync(markFile(plan));

/** Ends the first start: from here on, the data is the work of users. */
export const endFirstStart = (plan: StartPlan): void => rmSync(markFile(plan), { force: true });

const markFile = (plan: StartPlan) => join(plan.data, 'demo.unfinished');

/** Checks if a part of the demo workspaces is still missing. */
export function lacksDemo(plan: StartPlan): boolean {
  return waitingParts(plan).length > 0;
}

interface WaitingPart {
  planned: PlannedProcess;
  part: DemoPart;
}

function waitingParts(plan: StartPlan): WaitingPart[] {
  const done = doneParts(plan);
  return plan.processes.flatMap((planned) => {
    const isReplica = planned.name !== planned.row.name;
    // Earlier releases recorded the process, which created all of its parts.
    if (isReplica || done.includes(planned.name)) return [];
    const parts = planned.row.demo ?? [];
    const waiting = parts.filter(
      ({ name, program }) => !done.includes(name) && existsSync(resolve(plan.root, program)),
    );
    return waiting.map((part) => ({ planned, part }));
  });
}

const doneFile = (plan: StartPlan) => join(plan.data, 'demo.done');

function doneParts(plan: StartPlan): string[] {
  try {
    return JSON.parse(readFileSync(doneFile(plan), 'utf8')) as string[];
  } catch {
    // The file is missing or was cut short by a crash. Running a seed again changes nothing.
    return [];
  }
}

/** Returns the demo logins, or null if there is no demo workspace. */
export function readDemo(plan: StartPlan): Demo | null {
  const file = demoFile(plan);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Demo) : null;
}
