/** The thread that watches the event loop of its process. */
import { readFileSync, writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { clock } from '../runtime/clock.ts';
import type { Watch } from './watchdog.ts';

const { beats, limit_ms, exit_code, name } = workerData as Watch;
const counter = new Int32Array(beats);
const LOOK_MS = 500;
/** The delay before the process is killed, in milliseconds, because native code cannot be interrupted. */
const KILL_MS = 2_000;
/** The scheduler ticks per second on Linux, as counted in /proc. */
const TICKS = 100;

/**
 * Returns the processor time of the main thread in milliseconds. If the system does not show it, returns the time of
 * the whole process.
 */
function usedByMainThread(): number {
  if (process.platform === 'linux') {
    const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8');
    // The thread name, in parentheses, can contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS;
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Ends the process from within, because process 1 of a container cannot be killed by its own threads. */
function end(): void {
  const line = {
    level: 60,
    time: clock.now().getTime(),
    process: name,
    exit_code,
    msg: 'event loop blocked; ending the process',
  };
  writeSync(1, `${JSON.stringify(line)}\n`);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), KILL_MS);
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: `process.reallyExit(${exit_code})` });
}

let last = Atomics.load(counter, 0);
let used = usedByMainThread();
let isEnding = false;
setInterval(() => {
  const now = Atomics.load(counter, 0);
  if (now !== last) {
    last = now;
    used = usedByMainThread();
  } else if (!isEnding && usedByMainThread() - used > limit_ms) {
    isEnding = true;
    end();
  }
}, LOOK_MS);
