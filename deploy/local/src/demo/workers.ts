import { join } from 'node:path';
import { engineFlags, sharedEnvironment } from '../environment.ts';
import type { StartPlan } from '../plan.ts';
import { type Child, startChild } from '../supervision/child.ts';
import { ProcessOutput } from '../supervision/process-output.ts';
import type { PartReply, PartRequest } from './worker.ts';

/** The program of a worker, from the root of the checkout. */
export const WORKER = 'deploy/local/src/demo/worker.ts';

interface Worker {
  child: Child;
  output: ProcessOutput;
  /** Receives the reply to the request that it works on. */
  reply: (reply: PartReply) => void;
}

/**
 * Starts with the largest space for new objects. By default, V8 begins with 1 MiB and copies what is still in use each
 * time that the space is full, up to its full size. The code cache accepts this option.
 */
const WORKER_FLAGS = [...engineFlags, '--min-semi-space-size=16'];

/** The processes that make the demo. Each makes one part at a time, and the next part without loading everything again. */
export class DemoWorkers {
  readonly #plan: StartPlan;
  readonly #all: Worker[] = [];
  readonly #idle: Worker[] = [];
  #prepared: Promise<void> | undefined;

  constructor(plan: StartPlan) {
    this.#plan = plan;
  }

  /** Starts a second worker, which loads the programs of the next parts while the first one is busy. */
  prepare(programs: readonly string[]): void {
    if (this.#all.length > 1) return;
    // If it cannot be started, the part that needs it reports the reason.
    this.#prepared ??= this.#start(programs).then(
      (worker) => void this.#idle.push(worker),
      () => undefined,
    );
  }

  /** Has an idle worker, or a new one, make a part. Returns why it could not, or nothing. */
  async make(request: PartRequest): Promise<string | undefined> {
    const worker = this.#idle.pop() ?? (await this.#start());
    const replied = new Promise<PartReply>((resolve) => (worker.reply = resolve));
    worker.child.send(request);
    const reply = await Promise.race([replied, worker.child.exited]);
    if ('code' in reply) return worker.output.exitReason() ?? 'see logs/demo.log';
    this.#idle.push(worker);
    return reply.fault;
  }

  /** Ends all workers, including busy ones. */
  async stop(): Promise<void> {
    await this.#prepared;
    await Promise.all(this.#all.map(({ child }) => child.stop('SIGTERM', 5_000)));
  }

  async #start(programs: readonly string[] = []): Promise<Worker> {
    const { root, data } = this.#plan;
    const output = new ProcessOutput('demo', () => {});
    const child = await startChild({
      command: process.execPath,
      args: [...WORKER_FLAGS, WORKER, ...programs],
      cwd: root,
      env: sharedEnvironment(this.#plan),
      log: join(data, 'logs', 'demo.log'),
      onLine: (line) => output.hear(line),
      onMessage: (reply) => worker.reply(reply as PartReply),
    });
    const worker: Worker = { child, output, reply: () => {} };
    this.#all.push(worker);
    return worker;
  }
}
