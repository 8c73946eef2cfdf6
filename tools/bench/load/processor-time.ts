/** The processor time of every program around the bench, as Linux counts it: it says where the time of a request goes. */
import { readdirSync, readFileSync } from 'node:fs';

/** Processor time by the name of a program. */
export type ProcessorTime = Record<string, number>;

/** Linux counts in hundredths of a second. */
const TICK_US = 10_000;

/** The words in a command line that name a program; the first that fit do. */
const PROGRAMS = [
  /services\/(\w+)\/src\/main/,
  /(gateway)\/src\/main/,
  /bare-stack\/src\/(proxy)/,
  /(bare)-stack\/src\/main/,
  /(by-hand)/,
  /(postgres)/,
  /(nats)-server/,
];

const nameOf = (command: string): string | undefined =>
  PROGRAMS.map((pattern) => pattern.exec(command)?.[1]).find((name) => name !== undefined);

interface Running {
  parent: number;
  name: string | undefined;
  taken_us: number;
}

function read(pid: string): Running | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which may hold anything: state, parent, …; the times are those of itself, and of children that it waited for.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent, ...times] = [fields[1], ...fields.slice(11, 15)].map(Number) as [number, ...number[]];
    return { parent, name: nameOf(command), taken_us: times.reduce((sum, ticks) => sum + ticks, 0) * TICK_US };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}

/** Whether a process was started by this one, or by one that it started. */
function isOurs(all: ReadonlyMap<number, Running>, pid: number): boolean {
  for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) if (at === process.pid) return true;
  return false;
}

/** The processor time that programs of this bench have taken until now, in µs. */
export function processorTime(): ProcessorTime {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const all = new Map(
    pids.flatMap((pid) => {
      const running = read(pid);
      return running ? [[Number(pid), running] as const] : [];
    }),
  );
  const taken: ProcessorTime = {};
  for (const [pid, { name, taken_us }] of all)
    if (name && isOurs(all, pid)) taken[name] = (taken[name] ?? 0) + taken_us;
  return taken;
}

/** The time that each program took between two moments for one of so many requests, in µs. */
export const perRequest = (before: ProcessorTime, after: ProcessorTime, requests: number): ProcessorTime =>
  Object.fromEntries(
    Object.entries(after).map(([name, taken]) => [name, (taken - (before[name] ?? 0)) / Math.max(requests, 1)]),
  );
