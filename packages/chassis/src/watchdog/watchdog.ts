/**
 * Ends a process whose event loop is blocked, so that its supervisor restarts it: Docker, Kubernetes or `npm start`. A
 * thread watches a counter that the event loop increments. The loop is blocked if the main thread has used the
 * processor for 10 s without an iteration of the loop. Therefore a suspended machine, a process without processor time
 * and a debugger at a breakpoint end nothing.
 */
import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { deadline } from '../runtime/config.ts';

/** The exit code of a process with a blocked event loop. */
const BLOCKED_EXIT_CODE = 86;
/** The processor time without an iteration of the event loop after which the process ends, in milliseconds. */
const BLOCKED_MS = 10_000;
const BEAT_MS = 250;

/** The settings of the watchdog thread. */
export interface Watch {
  beats: SharedArrayBuffer;
  limit_ms: number;
  exit_code: number;
  name: string;
}

/**
 * Watches the event loop of this process until it ends. Does nothing in a process that is being debugged.
 * @param name the name of the process in the log
 * @param limit_ms the processor time after which the loop is blocked, in milliseconds
 * @returns a function that ends the watch
 */
export function watchEventLoop(name: string, limit_ms = deadline(BLOCKED_MS)): () => void {
  if (debuggerUrl()) return () => undefined;
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const counter = new Int32Array(beats);
  const beat = setInterval(() => Atomics.add(counter, 0, 1), BEAT_MS).unref();
  const watch: Watch = { beats, limit_ms, exit_code: BLOCKED_EXIT_CODE, name };
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
    workerData: watch,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  });
  thread.unref();
  return () => {
    clearInterval(beat);
    thread.terminate().catch(() => undefined);
  };
}
