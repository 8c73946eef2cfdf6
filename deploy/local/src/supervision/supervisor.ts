import { setTimeout as pause } from 'node:timers/promises';
import type { Exit } from './child.ts';
import { LaunchError, sentence } from '../launch-error.ts';

/** A running process. */
export interface RunningProcess {
  pid: number;
  exited: Promise<Exit>;
  stop(): Promise<void>;
}

/** A process to supervise: how to start it, and how to check that it works. */
export interface Job {
  name: string;
  start(): Promise<RunningProcess>;
  /** Resolves when the process is ready. Aborted by the signal when the process ends. */
  ready(signal: AbortSignal): Promise<void>;
  /** Returns the reason for the end from the process's own output, or null if there is none. */
  exitReason?(): string | null;
  say(line: string): void;
}

/** A process that is restarted whenever it ends, until it is stopped. */
export interface SupervisedProcess {
  name: string;
  /** Resolves when the process is ready for the first time. Rejects if it cannot be started. */
  started: Promise<void>;
  /** Pid of the running process. Null between two processes. */
  pid(): number | null;
  /** Number of starts. */
  starts(): number;
  /** Resolves when the process is ready, including after a restart. */
  ready(): Promise<void>;
  /** Kills the process, as a crash would. It is restarted. */
  kill(signal?: NodeJS.Signals): void;
  /** Stops the process cleanly and permanently. */
  stop(): Promise<void>;
}

/** The end of a process: its exit, and for how long it had been ready. Null if it never was. */
export interface ProcessExit {
  exit: Exit;
  ready_ms: number | null;
}

interface State {
  running: RunningProcess | null;
  is_ready: boolean;
  ready_since: number | null;
  ending: ProcessExit | null;
  starts: number;
  stopping: AbortController;
}

const FIRST_TRIES = 3;
const SHORTEST_MS = 250;
const LONGEST_MS = 15_000;
/** Time after which a ready process counts as started. The next pause is then the shortest again. */
const SETTLED_MS = 5_000;
/** The signals that other processes send. A process that aborts itself ends with others. */
const OUTSIDE: Array<NodeJS.Signals | null> = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'];

/**
 * Returns the pause before the next start, given the pause before this one (0: there was none). The pause grows only
 * for a process that exits soon after its start. A killed process restarts after the shortest pause.
 */
export function pauseAfter({ exit, ready_ms }: ProcessExit, last_ms: number): number {
  const wasKilled = OUTSIDE.includes(exit.signal);
  if (ready_ms !== null && (wasKilled || ready_ms >= SETTLED_MS)) return SHORTEST_MS;
  return Math.min(Math.max(wasKilled ? last_ms : last_ms * 2, SHORTEST_MS), LONGEST_MS);
}

/**
 * Starts a process and restarts it when it ends. Gives up after a few tries if the process does not get ready the first
 * time.
 */
export function supervise(job: Job): SupervisedProcess {
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

/** Starts the process once. Returns why it ended, or null if it is ready. */
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
    return job.exitReason?.() ?? `it ended immediately (${describe(exit)})`;
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
