import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { engineFlags } from '../environment.ts';
import { readiness } from '../health.ts';
import { startChild } from './child.ts';
import type { StartPlan, PlannedProcess } from '../plan.ts';
import { LaunchError } from '../launch-error.ts';
import type { Job } from './supervisor.ts';
import { ProcessOutput } from './process-output.ts';

const READY_PATIENCE_MS = 90_000;
/** Longer than an orderly stop of a process (drain, consumers, relay, pools). */
const STOP_GRACE_MS = 25_000;

/** Returns the supervisor job of the gateway or a service. */
export function processJob(
  plan: StartPlan,
  planned: PlannedProcess,
  environment: Record<string, string>,
  say: (line: string) => void,
): Job {
  const output = new ProcessOutput(planned.name, say);
  const operations_url = `http://127.0.0.1:${planned.operations_port}`;
  return {
    name: planned.name,
    say,
    async start() {
      output.begin();
      const child = await startChild({
        command: process.execPath,
        args: [...engineFlags, planned.row.entry],
        cwd: plan.root,
        env: environment,
        log: join(plan.data, 'logs', `${planned.name}.log`),
        onLine: (line) => output.hear(line),
      });
      return {
        pid: child.pid,
        exited: child.exited,
        stop() {
          output.end();
          return child.stop('SIGTERM', STOP_GRACE_MS);
        },
      };
    },
    ready: (signal) => untilReady(planned.name, operations_url, READY_PATIENCE_MS * plan.deadline_factor, signal),
    exitReason: () => output.exitReason(),
  };
}

async function untilReady(
  name: string,
  operations_url: string,
  patience_ms: number,
  signal: AbortSignal,
): Promise<void> {
  const began = performance.now();
  while (!signal.aborted) {
    const { isComplete, response } = await readiness(operations_url, 2_000);
    if (isComplete) return;
    if (performance.now() - began > patience_ms) {
      throw new LaunchError(`${name} runs but is not ready after ${patience_ms / 1000} s; it answers: ${response}`);
    }
    await pause(50);
  }
}
