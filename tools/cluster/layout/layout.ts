/** The table of the cluster: machines, addresses and ports. All of them are in a network of their own. */
import { processes, REPLICA_STEP } from '@suite/local/processes';

/** A machine of the cluster: a network namespace with PostgreSQL under Patroni, etcd and NATS. */
export interface MachineRow {
  name: string;
  address: string;
}

/** The network of the machines and of the site, where the suite, HAProxy and the load run. */
export const NETWORK = '10.77.0.0/24';
export const SITE_ADDRESS = '10.77.0.1';

export const machineRows: readonly MachineRow[] = [1, 2, 3].map((number) => ({
  name: `machine-${number}`,
  address: `10.77.0.${10 + number}`,
}));

/** Ports of the servers on each machine. */
export const PORTS = {
  postgres: 5432,
  patroni: 8008,
  etcd: 2379,
  etcd_peers: 2380,
  nats: 4222,
  nats_routes: 6222,
  nats_monitor: 8222,
};

/** Port of the first gateway. The ports of the other processes are offsets, as in `npm start`. */
export const SUITE_PORT = 4000;
/** Ports of the servers in front, on 127.0.0.1 of the site. */
export const FRONT = { api: 15_000, primary: 15_432, pgbouncer: 16_432 };
/** Processes of the gateway and of each service. */
export const REPLICAS = 2;

/** A process of the suite behind HAProxy: the port there, and the ports of its replicas. */
export interface Balanced {
  name: string;
  port: number;
  replicas: { name: string; port: number; operations_port: number }[];
}

/** Returns the replicas of a port offset, and the health ports that decide which of them receive connections. */
const replicasOf = (name: string, offset: number, operations: number): Balanced['replicas'] =>
  Array.from({ length: REPLICAS }, (_, index) => ({
    name: index === 0 ? name : `${name}-${index + 1}`,
    port: SUITE_PORT + index * REPLICA_STEP + offset,
    operations_port: SUITE_PORT + index * REPLICA_STEP + operations,
  }));

/** The HTTP ports of all services, the gRPC ports of all services, and the gateway. */
export const balanced: { http: Balanced[]; grpc: Balanced[]; api: Balanced } = {
  http: processes.flatMap(({ name, http, operations, service }) =>
    service ? [{ name, port: FRONT.api + http, replicas: replicasOf(name, http, operations) }] : [],
  ),
  grpc: processes.flatMap(({ name, operations, service }) =>
    service ? [{ name, port: FRONT.api + service.grpc, replicas: replicasOf(name, service.grpc, operations) }] : [],
  ),
  api: { name: 'api', port: FRONT.api, replicas: replicasOf('gateway', 0, 1) },
};

/** The names of all services. */
export const serviceNames: readonly string[] = balanced.http.map(({ name }) => name);
