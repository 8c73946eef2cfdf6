/**
 * The site of the cluster: a Debian root with a network of its own. The process that uses it must already be in mount,
 * network and process namespaces of its own, so everything here ends with that process.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Child, startChild } from '@suite/local/child';
import { LaunchError } from '@suite/local/launch-error';
import { SITE_ADDRESS } from '../layout/layout.ts';

const execute = promisify(execFile);
const BRIDGE = 'suite';
/** Largest amount of memory for the data of all servers. */
const MEMORY_GIB = 8;
/** Folder of the cluster's data, as the programs in the root see it. */
export const INSIDE = '/cluster';
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' };

export interface SiteFolders {
  /** The Debian root. */
  root: string;
  /** The data of the servers, in memory. */
  state: string;
  /** Files, keys and logs of the suite. */
  suite: string;
  /** Logs of the servers and records of the rounds. */
  logs: string;
}

/** A program in the root. */
export interface ProgramOptions {
  /** Name of the log. */
  name: string;
  words: readonly string[];
  /** True for a program that must not run as root. It runs as the user `postgres`. */
  is_unprivileged?: boolean;
  /** Process whose network the program uses. Defaults to the network of the site. */
  network_pid?: number;
}

/** User ID and group ID of the account that owns the data of the servers. */
export interface Account {
  uid: number;
  gid: number;
}

/** Runs programs in the Debian root. */
export class Site {
  readonly folders: SiteFolders;

  constructor(folders: SiteFolders) {
    this.folders = folders;
  }

  /** Mounts what the programs in the root need, and creates the network of the machines. */
  async open(): Promise<void> {
    const { root, state, suite, logs } = this.folders;
    for (const folder of [state, suite, logs]) rmSync(folder, { recursive: true, force: true });
    for (const folder of [state, suite, logs, join(root, INSIDE)]) mkdirSync(folder, { recursive: true });
    // Three machines have three disks. On the one disk of this machine, each would wait for the flushes of the others.
    await execute('mount', ['-t', 'tmpfs', '-o', `size=${MEMORY_GIB}g,mode=755`, 'tmpfs', state]);
    await execute('mount', ['-t', 'proc', 'proc', join(root, 'proc')]);
    // Includes /dev/shm: without it, Patroni cannot start PostgreSQL again after a crash.
    await execute('mount', ['--rbind', '/dev', join(root, 'dev')]);
    await execute('mount', ['--bind', state, join(root, INSIDE)]);
    await this.#createBridge();
    await this.run('ip', 'link', 'set', 'lo', 'up');
    await this.run('ip', 'address', 'add', `${SITE_ADDRESS}/24`, 'dev', BRIDGE);
    await this.run('ip', 'link', 'set', BRIDGE, 'up');
  }

  /** Creates the bridge. @throws LaunchError if the kernel has no bridge, or no filter of packets for the partition */
  async #createBridge(): Promise<void> {
    try {
      await this.run('ip', 'link', 'add', BRIDGE, 'type', 'bridge');
      await this.run('nft', 'list', 'tables');
    } catch (error) {
      throw new LaunchError(
        `The kernel has no bridge or no nftables: load their modules with modprobe bridge veth nf_tables. (${String(error)})`,
      );
    }
  }

  /** Returns the account `postgres` of the root. */
  get account(): Account {
    const line = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync(join(this.folders.root, 'etc/passwd'), 'utf8'));
    return { uid: Number(line?.[1]), gid: Number(line?.[2]) };
  }

  /** Runs a program in the root and returns its output. @throws an Error with the output if it fails */
  async run(...words: string[]): Promise<string> {
    return await this.#execute([], words);
  }

  /** Runs a program in the root, in the network of a process. */
  async runIn(network_pid: number, ...words: string[]): Promise<string> {
    return await this.#execute(inNetworkOf(network_pid), words);
  }

  async #execute(before: string[], words: string[]): Promise<string> {
    const [command = '', ...args] = [...before, 'chroot', this.folders.root, ...words];
    const { stdout } = await execute(command, args, { env: ENVIRONMENT });
    return stdout;
  }

  /** Connects the network of a process with the bridge, under an address. */
  async connect(network_pid: number, name: string, address: string): Promise<void> {
    await this.run('ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(network_pid));
    await this.run('ip', 'link', 'set', name, 'master', BRIDGE, 'up');
    await this.runIn(network_pid, 'ip', 'link', 'set', 'lo', 'up');
    await this.runIn(network_pid, 'ip', 'address', 'add', `${address}/24`, 'dev', 'eth0');
    await this.runIn(network_pid, 'ip', 'link', 'set', 'eth0', 'up');
  }

  /** Starts a program in the root. Its process ID is the ID of the program: each step before replaces itself. */
  async start({ name, words, is_unprivileged = false, network_pid }: ProgramOptions): Promise<Child> {
    const { uid, gid } = this.account;
    const [command = '', ...args] = [
      ...(network_pid === undefined ? [] : inNetworkOf(network_pid)),
      'chroot',
      this.folders.root,
      ...(is_unprivileged ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--init-groups', '--'] : []),
      ...words,
    ];
    return await startChild({
      command,
      args,
      cwd: '/',
      env: { ...ENVIRONMENT, HOME: INSIDE },
      log: join(this.folders.logs, `${name}.log`),
    });
  }
}

const inNetworkOf = (pid: number): string[] => ['nsenter', `--net=/proc/${pid}/ns/net`, '--'];
