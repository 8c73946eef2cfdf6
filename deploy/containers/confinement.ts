/** Reads from the kernel whether a container runs as confined as the chart requires, and its memory. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Report of the kernel about the first process of a container. */
export interface KernelView {
  /** `/proc/<pid>/status` */
  status: string;
  /** `/proc/<pid>/mountinfo` */
  mounts: string;
  /** Limit of its memory, in bytes. */
  limit: number;
}

/** Requirements of the chart for a container. */
export interface Requirements {
  user: number | undefined;
  /** Limit of its memory, such as `768Mi`. */
  memory: unknown;
}

const UNITS: Readonly<Record<string, number>> = { '': 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };

/** Returns a quantity of memory in bytes, or NaN. */
export function bytesOf(quantity: unknown): number {
  const [, number = '', unit = '?'] = /^(\d+)([KMG]i)?$/.exec(String(quantity))?.map((part) => part ?? '') ?? [];
  return Number(number) * (UNITS[unit] ?? Number.NaN);
}

/** Returns the requirements that a container does not meet. */
export function confinementFaults({ status, mounts, limit }: KernelView, { user, memory }: Requirements): string[] {
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1];
  const [, options = ''] = /^(?:\S+ ){4}\/ (\S+)/m.exec(mounts) ?? [];
  const requirements = {
    [`runs as the user ${field('Uid')} instead of ${user}`]: field('Uid') === String(user) && user !== 0,
    [`has the capabilities ${field('CapEff')}`]: /^0+$/.test(field('CapEff') ?? ''),
    [`can be given the capabilities ${field('CapBnd')}`]: /^0+$/.test(field('CapBnd') ?? ''),
    'may gain privileges': field('NoNewPrivs') === '1',
    'has no filter of system calls': field('Seccomp') === '2',
    'may write to its root file system': options.split(',').includes('ro'),
    [`has a limit of ${limit} bytes instead of ${String(memory)}`]: limit === bytesOf(memory),
  };
  return Object.entries(requirements).flatMap(([fault, isMet]) => (isMet ? [] : [fault]));
}

/** Files of the memory of a control group, in versions 1 and 2. */
const MEMORY_FILES = [
  {
    root: '/sys/fs/cgroup/memory',
    usage: 'memory.usage_in_bytes',
    limit: 'memory.limit_in_bytes',
    cache: 'total_inactive_file',
  },
  { root: '/sys/fs/cgroup', usage: 'memory.current', limit: 'memory.max', cache: 'inactive_file' },
];

/**
 * Returns the memory of a control group in bytes: the working set as `kubectl top` shows it, without files that nothing
 * has read recently, and the limit.
 * @throws Error if the kernel does not count the memory of this group
 */
export function memoryOf(group: string): { used: number; limit: number } {
  const files = MEMORY_FILES.find(({ root, usage }) => existsSync(join(root, group, usage)));
  if (!files) throw new Error(`The kernel does not count the memory of ${group}.`);
  const read = (name: string) => readFileSync(join(files.root, group, name), 'utf8').trim();
  const cache = new RegExp(`^${files.cache} (\\d+)$`, 'm').exec(read('memory.stat'))?.[1] ?? '0';
  return { used: Number(read(files.usage)) - Number(cache), limit: Number(read(files.limit)) };
}

/** Returns what the kernel reports about a process. */
export const kernelView = (pid: number, limit: number): KernelView => ({
  status: readFileSync(`/proc/${pid}/status`, 'utf8'),
  mounts: readFileSync(`/proc/${pid}/mountinfo`, 'utf8'),
  limit,
});
