import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in MiB, as Linux reports it. */
export const residentMiB = (pid: number | null): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
