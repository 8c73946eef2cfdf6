/** Measures the processes of a running suite: the start of each, and its memory when idle. */
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { clock } from '@suite/chassis/runtime';
import type { Suite } from '../local/src/suite.ts';

/** Returns the sentence with the date and the machine of a measurement. */
export function measuredOn(): string {
  const machine = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `Measured on ${clock.now().toISOString().slice(0, 10)}: ${machine}; Node ${process.versions.node}.`;
}

/** Measured values of one process. */
export interface ProcessMeasurement {
  /** Processor time from the start until the process is ready, in milliseconds: the median of all rounds. */
  start_ms: number;
  /** Resident memory in MiB, when idle. */
  resident_mib: number;
  /** Memory in MiB that the process shares with no other process and no file, when idle. */
  private_mib: number;
}

/** Linux counts processor time in hundredths of a second, regardless of the machine. */
const TICK_MS = 10;
/** The processes have then compiled, connected and released the memory of their start. */
const IDLE_MS = 20_000;

/** Returns the processor time of a process since its start, in milliseconds. */
function processorTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Returns the memory of a process in MiB, by Linux's names. */
function memory(pid: number): (name: string) => number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1_024;
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

/**
 * Measures the memory of all processes. Then kills each process in turn, so that it starts again while the others are idle,
 * and measures its start.
 * @param rounds number of starts of each process
 * @returns the measurements by the name of the process
 */
export async function measureProcesses({ processes }: Suite, rounds: number): Promise<Map<string, ProcessMeasurement>> {
  const measured = Object.values(processes).filter(({ operations_url }) => operations_url !== null);
  await pause(IDLE_MS);
  const memories = measured.map(({ pid }) => memory(pid()!));
  const starts = measured.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, { kill, ready, pid }] of measured.entries()) {
      kill();
      await ready();
      starts[at]!.push(processorTime(pid()!));
    }
  }
  return new Map(
    measured.map(({ name }, at) => {
      const of = memories[at]!;
      return [name, { start_ms: median(starts[at]!), resident_mib: of('Rss'), private_mib: of('Anonymous') }] as const;
    }),
  );
}
