/** Requirements of the machine that runs the cluster. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { freemem } from 'node:os';
import { delimiter, join } from 'node:path';

/** The parts of the machine that the requirements depend on. */
export interface MachineFacts {
  platform: string;
  /** User ID of this process. */
  uid: number | undefined;
  /** Checks if a program is installed. */
  hasProgram(name: string): boolean;
  /** Checks if the kernel allows new namespaces. A container often does not. */
  allowsNamespaces(): boolean;
  /** Memory that new programs can use, in GiB. */
  free_memory_gib: number;
}

/** Memory of all servers and processes with their data, with some reserve. */
const MEMORY_GIB = 8;

/** Namespaces of the cluster, as options of `unshare`. They end with their first process. */
export const NAMESPACES = ['--mount', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** Programs of util-linux and coreutils, which each Debian has, and debootstrap. */
const PROGRAMS: readonly (readonly [program: string, package_name: string])[] = [
  ['debootstrap', 'debootstrap'],
  ['unshare', 'util-linux'],
  ['nsenter', 'util-linux'],
  ['mount', 'mount'],
  ['chroot', 'coreutils'],
];

/** Returns one sentence that names the first missing requirement and its remedy, or undefined. */
export function missingRequirement(facts: MachineFacts): string | undefined {
  const { platform, uid, hasProgram, free_memory_gib } = facts;
  if (platform !== 'linux') return `The cluster needs namespaces of Linux, and this is ${platform}: run it on Linux.`;
  if (uid !== 0) return 'The cluster needs root for its namespaces and its Debian root: run it as root.';
  const missing = PROGRAMS.find(([program]) => !hasProgram(program));
  if (missing) {
    const [program, package_name] = missing;
    return `The program ${program} is missing: install it with apt-get install ${package_name}.`;
  }
  if (!facts.allowsNamespaces())
    return 'The cluster needs namespaces, which this system does not allow: run it outside of a container, or in a privileged one.';
  if (free_memory_gib < MEMORY_GIB)
    return `The cluster needs ${MEMORY_GIB} GiB of free memory, and ${free_memory_gib.toFixed(1)} GiB are free: stop other programs.`;
  return undefined;
}

/** Returns the facts of this machine. @param path the folders with programs, as in the variable PATH */
export const machineFacts = (path: string): MachineFacts => ({
  platform: process.platform,
  uid: process.getuid?.(),
  hasProgram: (name) =>
    [...path.split(delimiter), '/usr/sbin', '/sbin'].some((folder) => existsSync(join(folder, name))),
  allowsNamespaces: () => spawnSync('unshare', [...NAMESPACES, 'true']).status === 0,
  free_memory_gib: freemem() / 2 ** 30,
});
