/** A machine of the cluster: its own network, with PostgreSQL under Patroni, etcd and NATS. */
import { chownSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startChild } from '@suite/local/child';
import { etcdArguments } from '../layout/etcd-arguments.ts';
import type { MachineRow } from '../layout/layout.ts';
import { natsFile } from '../layout/nats-file.ts';
import { patroniFile, type PostgresPasswords } from '../layout/patroni-file.ts';
import { INSIDE, type Site } from './site.ts';

/** The servers of a machine. Patroni starts PostgreSQL. */
export type Server = 'etcd' | 'nats' | 'patroni';
const SERVERS: readonly Server[] = ['etcd', 'nats', 'patroni'];

/** Secrets of the servers. */
export interface MachineSecrets {
  postgres: PostgresPasswords;
  /** The users section of NATS. */
  nats_users: string;
}

/** Drops every packet of the machine. A process that sends one receives neither a response nor a reset. */
const CUT_OFF = `table inet cut {
  chain in { type filter hook input priority 0; policy drop; iif lo accept; }
  chain out { type filter hook output priority 0; policy drop; oif lo accept; }
}`;

export class Machine {
  readonly row: MachineRow;
  readonly #site: Site;
  readonly #folder: string;
  readonly #servers = new Map<Server, Child>();
  /** A process that does nothing but own the network of the machine. */
  #owner: Child | undefined;

  constructor(site: Site, row: MachineRow) {
    this.row = row;
    this.#site = site;
    this.#folder = join(site.folders.state, row.name);
  }

  get #network_pid(): number {
    return this.#owner!.pid;
  }

  /** Creates the network and the configuration files of the machine. */
  async open({ postgres, nats_users }: MachineSecrets): Promise<void> {
    const { name, address } = this.row;
    mkdirSync(this.#folder, { mode: 0o700 });
    const inside = join(INSIDE, name);
    writeFileSync(join(this.#folder, 'patroni.yml'), patroniFile(this.row, inside, postgres), { mode: 0o600 });
    writeFileSync(join(this.#folder, 'nats.conf'), natsFile(this.row, inside, nats_users), { mode: 0o600 });
    const { uid, gid } = this.#site.account;
    for (const file of ['', 'patroni.yml', 'nats.conf']) chownSync(join(this.#folder, file), uid, gid);
    const log = join(this.#site.folders.logs, `${name}-network.log`);
    this.#owner = await startChild({ command: 'unshare', args: ['--net', 'sleep', 'infinity'], cwd: '/', log });
    await this.#ownNetwork();
    await this.#site.connect(this.#network_pid, name, address);
  }

  /** Waits until the owner has left the network of the site. */
  async #ownNetwork(): Promise<void> {
    const own = readlinkSync('/proc/self/ns/net');
    while (networkOf(this.#network_pid) === own) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Starts a server unless it is running. */
  async start(server: Server): Promise<void> {
    if (this.#servers.get(server)?.isRunning()) return;
    const inside = join(INSIDE, this.row.name);
    const words = {
      etcd: ['etcd', ...etcdArguments(this.row, inside)],
      nats: ['nats-server', '--config', join(inside, 'nats.conf')],
      patroni: ['patroni', join(inside, 'patroni.yml')],
    }[server];
    const name = `${this.row.name}-${server}`;
    const options = { name, words, is_unprivileged: true, network_pid: this.#network_pid };
    this.#servers.set(server, await this.#site.start(options));
  }

  async startAll(): Promise<void> {
    for (const server of SERVERS) await this.start(server);
  }

  /** Returns the process ID of a server, or of the postmaster. */
  pidOf(server: Server | 'postgres'): number {
    if (server !== 'postgres') return this.#servers.get(server)!.pid;
    const [line] = readFileSync(join(this.#folder, 'postgres/postmaster.pid'), 'utf8').split('\n');
    return Number(line);
  }

  /** Sends a signal to every process of the machine. */
  signalAll(signal: NodeJS.Signals): void {
    for (const pid of this.#pids()) sendSignal(pid, signal);
  }

  /** Returns the processes in the network of the machine. */
  #pids(): number[] {
    const network = networkOf(this.#network_pid);
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => pid !== this.#network_pid && networkOf(pid) === network);
  }

  /** Isolates the machine from all others, without a reset of any connection. */
  async cutOff(): Promise<void> {
    await this.#site.runIn(this.#network_pid, 'nft', CUT_OFF);
  }

  async reconnect(): Promise<void> {
    await this.#site.runIn(this.#network_pid, 'nft', 'delete table inet cut');
  }
}

/** Returns the network of a process. Undefined if the process has ended. */
function networkOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return undefined;
  }
}

/** Sends a signal to a process that may have ended. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
