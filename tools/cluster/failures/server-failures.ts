/** Failures of PostgreSQL, NATS, etcd and their machines. */
import { etcdLeaderOf, primaryOf, streamLeaderOf } from '../site/members.ts';
import type { Server } from '../site/machine.ts';
import { type Cluster, type Failure, type Gate, repairsItself } from './failure.ts';

const CRASH: Gate = { gap_ms: 10_000 };
const MACHINE: Gate = { gap_ms: 30_000 };
const UNNOTICED: Gate = { gap_ms: 3_000, fails_no_write: true };

/** Longer than the lease of the primary, so that another machine takes over. */
const MACHINE_DOWN_MS = 35_000;
/** Time after which Kubernetes would have restarted a server. */
const RESTART_MS = 5_000;
const NATS_DOWN_MS = 60_000;

async function crashPrimary({ machines }: Cluster) {
  process.kill((await primaryOf(machines)).pidOf('postgres'), 'SIGKILL');
  return repairsItself;
}

async function crashMachine({ machines }: Cluster) {
  const machine = await primaryOf(machines);
  machine.signalAll('SIGKILL');
  return () => machine.startAll();
}

async function freezeMachine({ machines }: Cluster) {
  const machine = await primaryOf(machines);
  machine.signalAll('SIGSTOP');
  return async () => machine.signalAll('SIGCONT');
}

async function partition({ machines }: Cluster) {
  const machine = await primaryOf(machines);
  await machine.cutOff();
  return () => machine.reconnect();
}

/** Returns a failure that kills a server, which is then started again. */
const crashServer =
  (server: Server, machineOf: (cluster: Cluster) => ReturnType<typeof primaryOf>) => async (cluster: Cluster) => {
    const machine = await machineOf(cluster);
    process.kill(machine.pidOf(server), 'SIGKILL');
    return () => machine.start(server);
  };

async function freezeNats({ machines }: Cluster) {
  const pids = machines.map((machine) => machine.pidOf('nats'));
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return async () => {
    for (const pid of pids) process.kill(pid, 'SIGCONT');
  };
}

/** The stream with the most events of the load. */
const STREAM = 'FINANCE';

export const serverFailures: readonly Failure[] = [
  { name: 'postgres', title: "Primary's postmaster, `kill -9`", gate: CRASH, lasts_ms: 0, strike: crashPrimary },
  {
    name: 'machine',
    title: "Primary's machine, every process `kill -9`",
    gate: MACHINE,
    lasts_ms: MACHINE_DOWN_MS,
    strike: crashMachine,
  },
  {
    name: 'frozen',
    title: "Primary's machine frozen for 35 s, then awake",
    gate: MACHINE,
    lasts_ms: MACHINE_DOWN_MS,
    strike: freezeMachine,
  },
  {
    name: 'partition',
    title: "Primary's machine isolated for 35 s, packets dropped",
    gate: MACHINE,
    lasts_ms: MACHINE_DOWN_MS,
    strike: partition,
  },
  {
    name: 'nats-leader',
    title: `NATS, leader of the stream ${STREAM}, \`kill -9\``,
    gate: UNNOTICED,
    lasts_ms: RESTART_MS,
    strike: crashServer('nats', ({ machines }) => streamLeaderOf(machines, STREAM)),
  },
  {
    name: 'nats-frozen',
    title: 'NATS, all servers unresponsive for 60 s',
    gate: UNNOTICED,
    lasts_ms: NATS_DOWN_MS,
    strike: freezeNats,
  },
  {
    name: 'etcd-leader',
    title: 'etcd, leader, `kill -9`',
    gate: UNNOTICED,
    lasts_ms: RESTART_MS,
    strike: crashServer('etcd', ({ machines }) => etcdLeaderOf(machines)),
  },
];

/** The failures of PostgreSQL that are repeated with PgBouncer in between. */
export const pooledFailures: readonly Failure[] = serverFailures
  .filter(({ name }) => ['postgres', 'machine', 'partition'].includes(name))
  .map((failure) => ({
    ...failure,
    name: `pgbouncer-${failure.name}`,
    title: `${failure.title}, through PgBouncer`,
    is_pooled: true,
  }));
