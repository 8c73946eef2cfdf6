import { setTimeout as pause } from 'node:timers/promises';
import type { Exit } from './child.ts';
import { LaunchError, sentence } from '../launch-error.ts';

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
  exitReason?(): string | null;
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

/** How a process ended, and for how long it had been ready then; null when it never was. */
export interface Ending {
  exit: Exit;
  ready_ms: number | null;
}

interface State {
  running: Running | null;
  is_ready: boolean;
  ready_since: number | null;
  ending: Ending | null;
  starts: number;
  stopping: AbortController;
}

const FIRST_TRIES = 3;
const SHORTEST_MS = 250;
const LONGEST_MS = 15_000;
/** A process that was ready this long did not fail at start: the next pause is the shortest again. */
const SETTLED_MS = 5_000;
/** The signals that come from outside; a process that aborts itself ends with others. */
const OUTSIDE: Array<NodeJS.Signals | null> = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * The pause before the next start, given the pause before this one (0: there was none). It grows only for a process that
 * ends by itself soon after its start: one that was killed can be started again as quickly as ever.
 */
export function pauseAfter({ exit, ready_ms }: Ending, last_ms: number): number {
  const wasKilled = OUTSIDE.includes(exit.signal);
  if (ready_ms !== null && (wasKilled || ready_ms >= SETTLED_MS)) return SHORTEST_MS;
  return Math.min(Math.max(wasKilled ? last_ms : last_ms * 2, SHORTEST_MS), LONGEST_MS);
}

/** Starts a process and keeps it running. One that does not get ready at first is given up after a few tries. */
export function supervise(job: Job): Supervised {
  const state: State = {
    running: null,
    is_ready: false,
    ready_since: null,
    ending: null,
    starts: 0,
    stopping: new AbortController(),
  };
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
    if (state.stopping.signal.aborted) throw new LaunchError(`${job.name} was stopped.`);
    if (tries === FIRST_TRIES) throw new LaunchError(`${job.name} does not start: ${failure}`);
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
  state.ready_since = null;
  const ended = running.exited.then((exit) => {
    over.abort();
    state.ending = { exit, ready_ms: state.ready_since === null ? null : performance.now() - state.ready_since };
    state.running = null;
    state.is_ready = false;
    return job.exitReason?.() ?? `it ended at once (${describe(exit)})`;
  });
  try {
    const failure = await Promise.race([ended, job.ready(over.signal).then(() => null)]);
    state.is_ready = failure === null && state.running === running;
    if (state.is_ready) state.ready_since = performance.now();
    return failure;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function keepRunning(job: Job, state: State): Promise<void> {
  const { signal } = state.stopping;
  let pause_ms = 0;
  while (!signal.aborted) {
    const exit = await state.running?.exited;
    if (signal.aborted) return;
    if (state.ending) pause_ms = pauseAfter(state.ending, pause_ms);
    if (exit) job.say(`${job.name} ended (${describe(exit)}); it is started again in ${pause_ms / 1000} s`);
    await pause(pause_ms, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const failure = await attempt(job, state).catch(sentence);
    if (signal.aborted) return;
    job.say(failure ? `${job.name} did not start: ${failure}` : `${job.name} is ready again`);
  }
}

function describe(exit: Exit): string {
  return exit.signal ?? `exit code ${exit.code}`;
}
