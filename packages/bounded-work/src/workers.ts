/**
 * Calls the functions of a module in worker threads. Each call has a limit of processor time. Waiting does not count,
 * so that a busy machine accepts the same calls as an idle one. A call that exceeds a limit ends its thread. Chosen:
 * the package does not use piscina, because its pool can end a call only by a timer and does not show which thread runs
 * it.
 */
import { Worker } from 'node:worker_threads';
import { deadline } from '@suite/chassis/runtime';
import { Fault, TooManyRequests, Unavailable } from '@suite/chassis/faults';
import { openQueue } from './queue.ts';

/** The limit that a call exceeded. `stuck` is a call that neither computes nor ends. */
export type ExceededLimit = 'too_much_work' | 'too_much_memory' | 'stuck';

export interface WorkerOptions {
  /** Creates the error for a call that exceeds a limit. */
  refuse: (limit: ExceededLimit) => Error;
  /** The processor time of a call with these values, in milliseconds, times `DEADLINE_FACTOR`. Defaults to 1,000. */
  work_ms?: (values: readonly unknown[]) => number;
  /** The longest duration of a call, including waiting, in milliseconds. Defaults to 20 s, times `DEADLINE_FACTOR`. */
  longest_ms?: number;
  /** The memory of a thread for JavaScript objects, in MiB. Defaults to 192. */
  memory_mb?: number;
  /** Number of threads. Defaults to 2. A single workspace then occupies one thread. */
  threads?: number;
  /** The time without calls after which a thread ends and frees its memory, in milliseconds. Defaults to 10 s. */
  idle_ms?: number;
}

/** A call of a function by name. */
export interface Call {
  name: string;
  values: unknown[];
}

/** The parts of an error that can be passed to another thread. */
export interface CallFailure {
  name: string;
  message: string;
  stack: string | undefined;
  status: unknown;
  code: unknown;
  details: object | undefined;
  errors: Record<string, string[]> | undefined;
}

/** The outcome of a call. */
export type CallOutcome = { value: unknown } | { failed: CallFailure };

type Functions<Module> = {
  [Name in keyof Module as Module[Name] extends (...values: never[]) => unknown ? Name : never]: Module[Name];
};

/** A function of the module, called in a thread for a workspace. */
export type WorkerCall<Called> = Called extends (...values: infer Values) => infer Value
  ? (workspace_id: string, ...values: Values) => Promise<Awaited<Value>>
  : never;

/** Functions of a module, each called in a thread, and a method that ends all threads. */
export interface Workers<Module> {
  call: { readonly [Name in keyof Functions<Module>]: WorkerCall<Module[Name]> };
  /** Ends all threads, and the calls that they run. */
  close(): void;
  /** The number of threads. */
  count(): number;
}

/** Interval at which the processor time of a call is read. */
const LOOK_MS = 50;
/** The highest number of calls that wait or run, per workspace and in total. */
const SHARE = 64;
const WAITING = 256;
const PATIENCE_MS = 5_000;

function errorOf({ name, message, stack, status, code, details, errors }: CallFailure): Error {
  if (typeof status === 'number' && typeof code === 'string') {
    return new Fault(status, code, message, { ...(details && { details }), ...(errors && { errors }) });
  }
  return Object.assign(new Error(message), { name, stack });
}

/** Resolves with the next message of a thread. Rejects when the thread ends, or the call exceeds a limit. */
async function outcomeOf(
  worker: Worker,
  limits: { work_ms: number; longest_ms: number; refuse: WorkerOptions['refuse'] },
) {
  const { promise, resolve, reject } = Promise.withResolvers<CallOutcome>();
  const failed = (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? limits.refuse('too_much_memory') : error);
  const ended = () => reject(Unavailable());
  worker.once('message', resolve).once('error', failed).once('exit', ended);
  let before: number | undefined;
  const look = setInterval(() => {
    // A thread that has just ended has no processor time. Its `exit` event reports the end.
    worker.cpuUsage().then(
      ({ user, system }) => {
        const used_ms = (user + system) / 1_000;
        before ??= used_ms;
        if (used_ms - before > limits.work_ms) reject(limits.refuse('too_much_work'));
      },
      () => undefined,
    );
  }, LOOK_MS);
  const late = setTimeout(() => reject(limits.refuse('stuck')), limits.longest_ms);
  try {
    return await promise;
  } finally {
    clearInterval(look);
    clearTimeout(late);
    worker.off('message', resolve).off('error', failed).off('exit', ended);
  }
}

/** A thread and its end after a time without calls. */
interface Thread {
  worker: Worker;
  idle?: NodeJS.Timeout;
}

/** Threads of a module, busy and free. */
class Threads {
  readonly #module: URL;
  readonly #options: WorkerOptions;
  readonly #free: Thread[] = [];
  readonly #all = new Set<Worker>();

  constructor(module: URL, options: WorkerOptions) {
    this.#module = module;
    this.#options = options;
  }

  get count(): number {
    return this.#all.size;
  }

  #limits(work_ms: number) {
    const { refuse, longest_ms = deadline(20_000) } = this.#options;
    return { refuse, longest_ms, work_ms };
  }

  #forget(worker: Worker): void {
    this.#all.delete(worker);
    const at = this.#free.findIndex((thread) => thread.worker === worker);
    if (at >= 0) this.#free.splice(at, 1);
  }

  #end(worker: Worker): void {
    this.#forget(worker);
    worker.terminate().catch(() => undefined);
  }

  async #start(): Promise<Thread> {
    const { memory_mb = 192 } = this.#options;
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: this.#module.href,
      // Without the settings, keys and passwords of the process.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memory_mb, maxYoungGenerationSizeMb: 32 },
    });
    this.#all.add(worker);
    worker.once('exit', () => this.#forget(worker));
    // An error outside a call must not end the process. A running call also receives the error.
    worker.on('error', () => this.#end(worker));
    await outcomeOf(worker, this.#limits(Infinity)).catch((error: unknown) => {
      this.#end(worker);
      throw error;
    });
    return { worker };
  }

  #release(thread: Thread): void {
    const { idle_ms = 10_000 } = this.#options;
    thread.worker.unref();
    this.#free.push(thread);
    thread.idle = setTimeout(() => this.#end(thread.worker), idle_ms).unref();
  }

  async run(name: string, values: unknown[]): Promise<unknown> {
    const { work_ms = () => 1_000 } = this.#options;
    const thread = this.#free.pop() ?? (await this.#start());
    clearTimeout(thread.idle);
    thread.worker.ref();
    const outcome = outcomeOf(thread.worker, this.#limits(deadline(work_ms(values))));
    thread.worker.postMessage({ name, values } satisfies Call);
    const settled = await outcome.catch((error: unknown) => {
      this.#end(thread.worker);
      throw error;
    });
    this.#release(thread);
    if ('failed' in settled) throw errorOf(settled.failed);
    return settled.value;
  }

  close(): void {
    for (const worker of this.#all) this.#end(worker);
  }
}

/**
 * Opens workers for a module. They use no memory until the first call.
 * @param module the file whose exported functions are called. It should import its dependencies at the top, because
 * loading does not count towards the limit.
 */
export function openWorkers<Module extends object>(module: URL, options: WorkerOptions): Workers<Module> {
  const threads = new Threads(module, options);
  const queue = openQueue({
    places: options.threads ?? 2,
    share: SHARE,
    waiting: WAITING,
    patience_ms: deadline(PATIENCE_MS),
    busy: () => Unavailable({ retry_after_s: 1 }),
    tooMany: TooManyRequests,
  });
  const call = new Proxy({} as Workers<Module>['call'], {
    get:
      (_, name: string) =>
      (workspace_id: string, ...values: unknown[]) =>
        queue.inTurn(workspace_id, () => threads.run(name, values)),
  });
  return { call, close: () => threads.close(), count: () => threads.count };
}
