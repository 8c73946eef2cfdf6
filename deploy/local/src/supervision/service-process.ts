import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { engineFlags } from '../environment.ts';
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
  const health = `http://127.0.0.1:${planned.operations_port}/health/ready`;
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
    ready: (signal) => untilReady(planned.name, health, READY_PATIENCE_MS * plan.deadline_factor, signal),
    exitReason: () => output.exitReason(),
  };
}

async function untilReady(name: string, health: string, patience_ms: number, signal: AbortSignal): Promise<void> {
  const began = performance.now();
  let answer = 'nothing';
  while (!signal.aborted) {
    try {
      const response = await fetch(health, { signal: AbortSignal.timeout(2000) });
      answer = `${response.status} ${(await response.text()).slice(0, 200)}`;
      if (response.status === 200) return;
    } catch {
      answer = 'nothing';
    }
    if (performance.now() - began > patience_ms) {
      throw new LaunchError(`${name} runs but is not ready after ${patience_ms / 1000} s; it answers: ${answer}`);
    }
    await pause(50);
  }
}
