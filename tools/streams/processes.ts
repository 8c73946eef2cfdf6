/** Memory and processor time of the processes of a suite, from Linux. */
import { readFileSync } from 'node:fs';
import type { Suite } from '@suite/local/suite';

/** Processor time is counted in hundredths of a second. */
const TICK_MS = 10;

/** The state of all processes at a time. */
export interface Usage {
  /** Resident memory of the gateway, in bytes. */
  gateway_bytes: number;
  /** Processor time of the gateway, in milliseconds. */
  gateway_ms: number;
  /** Processor time of all services, in milliseconds. */
  services_ms: number;
}

/** All measurements of a run. */
export interface Measured {
  streams: number;
  before: Usage;
  open: Usage;
  idle: Usage;
  after: Usage;
  idle_ms: number;
  /** Time from the response to a write until its change has arrived in all streams of its workspace. */
  arrivals_ms: number[];
}

function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

/** Measures all processes now. */
export function measure(processes: Suite['processes']): Usage {
  const pids = Object.entries(processes).map(([name, one]) => ({ name, pid: Number(one.pid()) }));
  const gateway = pids.find(({ name }) => name === 'gateway')!.pid;
  const others = pids.filter(({ name }) => name !== 'gateway');
  return {
    gateway_bytes: memoryOf(gateway),
    gateway_ms: cpuOf(gateway),
    services_ms: others.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
  };
}
