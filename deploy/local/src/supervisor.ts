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

/** Starts a process and keeps it running. Rejects when it cannot be got to work in the first place. */
export async function supervise(job: Job): Promise<Supervised> {
  const state: State = { running: null, is_ready: false, starts: 0, stopping: new AbortController() };
  for (let tries = 1; !state.is_ready; tries += 1) {
    const failure = await attempt(job, state);
    if (failure && tries === FIRST_TRIES) throw new Problem(`${job.name} does not start: ${failure}`);
    if (failure) await pause(SHORTEST_MS);
  }
  const kept = keepRunning(job, state);
  return {
    name: job.name,
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

/** One start; answers why it failed, or null. A `Problem` is for the user at once: trying again would not help. */
async function attempt(job: Job, state: State): Promise<string | null> {
  const over = new AbortController();
  try {
    state.starts += 1;
    const running = await job.start();
    state.running = running;
    const ended = running.exited.then((exit) => {
      over.abort();
      if (state.running === running) {
        state.running = null;
        state.is_ready = false;
      }
      return job.lastWords?.() ?? `it ended at once (${describe(exit)})`;
    });
    const failure = await Promise.race([ended, job.ready(over.signal).then(() => null)]);
    state.is_ready = failure === null && state.running === running;
    return failure;
  } catch (error) {
    over.abort();
    await state.running?.stop();
    if (state.is_ready || state.starts > FIRST_TRIES || !(error instanceof Problem)) return sentence(error);
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
    delay_ms = Math.min(delay_ms * 2, LONGEST_MS);
    if (signal.aborted) return;
    const failure = await attempt(job, state).catch(sentence);
    if (signal.aborted) await state.running?.stop();
    else if (failure) job.say(`${job.name} did not start (${failure}); next try in ${delay_ms / 1000} s`);
    else job.say(`${job.name} is ready again`);
  }
}

function describe(exit: Exit): string {
  return exit.signal ?? `exit code ${exit.code}`;
}
