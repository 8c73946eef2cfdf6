/** The state of the servers, as they report it. */
import { PORTS } from '../layout/layout.ts';
import type { Machine } from './machine.ts';

const PATIENCE_MS = 3_000;

/** Requests JSON from a port of a machine. @throws an Error if there is no answer, or an answer without success */
async function ask<T>(machine: Machine, port: number, path: string, body?: string): Promise<T> {
  const response = await fetch(`http://${machine.row.address}:${port}${path}`, {
    ...(body !== undefined && { method: 'POST', body }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) throw new Error(`${machine.row.name} answers ${response.status} on port ${port}`);
  return (await response.json()) as T;
}

interface Member {
  name: string;
  role: string;
  state: string;
}

const membersOf = async (machines: readonly Machine[]): Promise<Member[]> =>
  (await Promise.any(machines.map((one) => ask<{ members: Member[] }>(one, PORTS.patroni, '/cluster')))).members;

const named = (machines: readonly Machine[], name: string | undefined, what: string): Machine => {
  const found = machines.find(({ row }) => row.name === name);
  if (!found) throw new Error(`No machine has the ${what}.`);
  return found;
};

/** Returns the machine with the primary. @throws an Error if there is none */
export async function primaryOf(machines: readonly Machine[]): Promise<Machine> {
  const leader = (await membersOf(machines)).find(({ role }) => role === 'leader');
  return named(machines, leader?.name, 'primary');
}

interface EtcdStatus {
  header: { member_id: string };
  leader: string;
}

/** Returns the machine with etcd's leader. */
export async function etcdLeaderOf(machines: readonly Machine[]): Promise<Machine> {
  const found = await Promise.all(
    machines.map(async (machine) => {
      const { header, leader } = await ask<EtcdStatus>(machine, PORTS.etcd, '/v3/maintenance/status', '{}');
      return header.member_id === leader ? machine.row.name : undefined;
    }),
  );
  return named(machines, found.find(Boolean), 'leader of etcd');
}

/** A stream as one NATS server reports it. Only the leader knows the state of the replicas. */
interface NatsStream {
  name: string;
  cluster?: { leader?: string; replicas?: { current?: boolean; offline?: boolean }[] };
}

interface NatsStreams {
  account_details?: { stream_detail?: NatsStream[] }[];
}

const streamsOf = async (machine: Machine): Promise<NatsStream[]> =>
  (await ask<NatsStreams>(machine, PORTS.nats_monitor, '/jsz?streams=true')).account_details?.flatMap(
    ({ stream_detail = [] }) => stream_detail,
  ) ?? [];

/** Returns the machine with the leader of a stream of NATS. */
export async function streamLeaderOf(machines: readonly Machine[], stream: string): Promise<Machine> {
  const known = await Promise.any(machines.map(streamsOf));
  return named(machines, known.find(({ name }) => name === stream)?.cluster?.leader, `leader of the stream ${stream}`);
}

/** The streams that a NATS server reports. */
export interface StreamReport {
  server: string;
  streams: readonly NatsStream[];
}

/** Returns the streams that have no leader, or whose replicas on the other servers are missing or behind. */
export function incompleteStreams(reports: readonly StreamReport[]): string[] {
  const names = new Set(reports.flatMap(({ streams }) => streams.map(({ name }) => name)));
  const complete = reports.flatMap(({ server, streams }) =>
    streams.filter(({ cluster }) => {
      const current = cluster?.replicas?.filter((replica) => replica.current && !replica.offline) ?? [];
      return cluster?.leader === server && current.length + 1 === reports.length;
    }),
  );
  const missing = names.difference(new Set(complete.map(({ name }) => name)));
  return [...missing].map((name) => `the stream ${name} is not complete on every machine`);
}

const streamReports = (machines: readonly Machine[]): Promise<StreamReport[]> =>
  Promise.all(machines.map(async (machine) => ({ server: machine.row.name, streams: await streamsOf(machine) })));

const health: readonly (readonly [server: string, port: number, path: string])[] = [
  ['etcd', PORTS.etcd, '/health'],
  // Without streams and consumers: NATS 2.10 can report a consumer that ended during a partition as missing for good.
  ['NATS', PORTS.nats_monitor, '/healthz?js-server-only=true'],
];

/** Returns the reasons why the servers are not complete: a missing member, a replica that does not stream. */
export async function unhealthy(machines: readonly Machine[]): Promise<string[]> {
  const checks = machines.flatMap((machine) =>
    health.map(([server, port, path]) =>
      ask(machine, port, path).then(
        () => [],
        (error: unknown) => [`${server} of ${machine.row.name}: ${String(error)}`],
      ),
    ),
  );
  const members = await membersOf(machines).catch(() => []);
  const roles = members.filter(({ state }) => state === 'running' || state === 'streaming').map(({ role }) => role);
  const lacking = ['leader', 'sync_standby', 'replica'].filter((role) => !roles.includes(role));
  const streams = await streamReports(machines).then(incompleteStreams, (error: unknown) => [String(error)]);
  return [
    ...(await Promise.all(checks)).flat(),
    ...(lacking.length > 0 ? [`PostgreSQL has no ${lacking.join(' and no ')}`] : []),
    ...streams,
  ];
}
