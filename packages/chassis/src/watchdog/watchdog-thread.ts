/** The thread that watches the event loop of its process. */
import { readFileSync, writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { clock } from '../runtime/clock.ts';
import type { Watch } from './watchdog.ts';

const { beats, limit_ms, exit_code, name } = workerData as Watch;
const counter = new Int32Array(beats);
const LOOK_MS = 500;
/** Native code cannot be interrupted. Then the process is killed. */
const KILL_MS = 2_000;
/** The ticks of the Linux scheduler in a second, as /proc counts them. */
const TICKS = 100;

/** The processor time of the main thread in milliseconds. Where the system does not show it, that of the whole process. */
function usedByMainThread(): number {
  if (process.platform === 'linux') {
    const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8');
    // The name of the thread, in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS;
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Ends the process from within: process 1 of a container cannot be killed by its own threads. */
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
