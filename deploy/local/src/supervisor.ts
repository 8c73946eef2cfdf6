import { setTimeout as pause } from 'node:timers/promises';
import type { Exit } from './child.ts';
import { Problem, sentence } from './problem.ts';

/** A process while it runs. */
export interface Running {
  pid: number;
  exited: Promise<Exit>;
  stop(): Promise<void>;
}

/** How a process is started, and how one knows that it works. */
export interface Job {
  name: string;
  start(): Promise<Running>;
  /** Resolves when the process is ready; is given up when the signal says that it ended. */
  ready(signal: AbortSignal): Promise<void>;
  /** Why it ended, in its own words, or null when it said nothing. */
  lastWords?(): string | null;
  say(line: string): void;
}

/** A process that is started again whenever it ends, until it is stopped. */
export interface Supervised {
  name: string;
  /** Resolves when it was ready for the first time; rejects when it cannot be got to work. */
  started: Promise<void>;
  /** Of the process that runs now; null between two of them. */
  pid(): number | null;
  /** How often it was started. */
  starts(): number;
  /** Resolves when it is ready (again). */
  ready(): Promise<void>;
  /** Ends the process from outside, as a crash would; it is started again. */
  kill(signal?: NodeJS.Signals): void;
  /** Stops it in order, for good. */
  stop(): Promise<void>;
}

interface State {
  running: Running | null;
  is_ready: boolean;
  starts: number;
  stopping: AbortController;
}

const FIRST_TRIES = 3;
const SHORTEST_MS = 250;
const LONGEST_MS = 15_000;
/** Whoever ran this long did not fail at start: the next pause is the shortest again. */
const SETTLED_MS = 20_000;

/** Starts a process and keeps it running. One that does not get ready at first is given up after a few tries. */
export function supervise(job: Job): Supervised {
  const state: State = { running: null, is_ready: false, starts: 0, stopping: new AbortController() };
  const started = begin(job, state);
  const kept = started.then(
    () => keepRunning(job, state),
    () => {},
  );
  return {
    name: job.name,
    started,
    pid: () => state.running?.pid ?? null,
    starts: () => state.starts,
    async ready() {
      while (!state.is_ready && !state.stopping.signal.aborted) await pause(20);
    },
    kill(signal = 'SIGKILL') {
      state.is_ready = false;
      if (state.running) process.kill(state.running.pid, signal);
    },
    async stop() {
      state.stopping.abort();
      await state.running?.stop();
      await kept;
    },
  };
}

async function begin(job: Job, state: State): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const failure = await attempt(job, state);
    if (!failure) return;
    if (state.stopping.signal.aborted) throw new Problem(`${job.name} was stopped.`);
    if (tries === FIRST_TRIES) throw new Problem(`${job.name} does not start: ${failure}`);
    await pause(SHORTEST_MS);
  }
}

/** One start; answers why the process ended, or null when it is ready. */
async function attempt(job: Job, state: State): Promise<string | null> {
  const over = new AbortController();
  state.starts += 1;
  const running = await job.start();
  if (state.stopping.signal.aborted) {
    await running.stop();
    return 'it was stopped';
  }
  state.running = running;
  const ended = running.exited.then((exit) => {
    over.abort();
    state.running = null;
    state.is_ready = false;
    return job.lastWords?.() ?? `it ended at once (${describe(exit)})`;
  });
  try {
    const failure = await Promise.race([ended, job.ready(over.signal).then(() => null)]);
    state.is_ready = failure === null && state.running === running;
    return failure;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function keepRunning(job: Job, state: State): Promise<void> {
  const { signal } = state.stopping;
  let delay_ms = SHORTEST_MS;
  while (!signal.aborted) {
    const began = performance.now();
    const exit = await state.running?.exited;
    if (signal.aborted) return;
    if (performance.now() - began > SETTLED_MS) delay_ms = SHORTEST_MS;
    if (exit) job.say(`${job.name} ended (${describe(exit)}); it is started again in ${delay_ms / 1000} s`);
    await pause(delay_ms, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    delay_ms = Math.min(delay_ms * 2, LONGEST_MS);
    const failure = await attempt(job, state).catch(sentence);
    if (signal.aborted) return;
    job.say(failure ? `${job.name} did not start: ${failure}` : `${job.name} is ready again`);
  }
}

function describe(exit: Exit): string {
  return exit.signal ?? `exit code ${exit.code}`;
}
