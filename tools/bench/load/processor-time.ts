/**
 * The processor time of every program of the bench, as Linux counts it. Shows which programs use the time of a request.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Processor time by the name of a program. */
export type ProcessorTime = Record<string, number>;

/** Linux tick: a hundredth of a second. */
const TICK_US = 10_000;

/** The words in a command line that identify a program. The first match applies. */
const PROGRAMS = [
  /services\/(\w+)\/src\/main/,
  /(gateway)\/src\/main/,
  /bare-stack\/src\/(proxy)/,
  /(bare)-stack\/src\/main/,
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
    // The fields after the name, which may contain any character: state, parent, …. The times include the process and
    // the children that it waited for.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent, ...times] = [fields[1], ...fields.slice(11, 15)].map(Number) as [number, ...number[]];
    return { parent, name: nameOf(command), taken_us: times.reduce((sum, ticks) => sum + ticks, 0) * TICK_US };
  } catch {
    // The process has ended since then.
    return undefined;
  }
}

/** Checks if a process is this one or a descendant. */
function isOurs(all: ReadonlyMap<number, Running>, pid: number): boolean {
  for (let at = pid; at > 1; at = all.get(at)?.parent ?? 0) if (at === process.pid) return true;
  return false;
}

/** Returns the total processor time of the bench's programs, in µs. */
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

/** Returns the processor time of each program per request, between two measurements, in µs. */
export const perRequest = (before: ProcessorTime, after: ProcessorTime, requests: number): ProcessorTime =>
  Object.fromEntries(
    Object.entries(after).map(([name, taken]) => [name, (taken - (before[name] ?? 0)) / Math.max(requests, 1)]),
  );
