import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LauncherConfig, launcherConfig } from './config.ts';
import { LaunchError } from './launch-error.ts';
import { type ProcessRow, processes, REPLICA_STEP, SERVER_PORTS } from './processes.ts';

/** Options for `startSuite`. */
export interface SuiteOptions {
  /** Directory for all data of the suite. Defaults to `.data` in the repository. */
  data?: string;
  /** The gateway's port. Every other port is an offset from this port. `free`: a range of unused ports, for tests. */
  port?: number | 'free';
  /** Number of processes per service or of the gateway, if more than one. */
  replicas?: Record<string, number>;
  /** Additional variables for every process, or a function that returns them for a process. For tests (`RATE_LIMITS`, …). */
  environment?: Record<string, string> | ((process: PlannedProcess) => Record<string, string>);
  /** External servers. By default, the variables of the environment name them, or embedded servers are started. */
  servers?: Pick<LauncherConfig, 'nats_url' | 'nats_credentials' | 'database_urls'>;
  /** Removes the data of an earlier suite from `data` first. */
  reset?: boolean;
  /** Creates the demo workspace. Defaults to true. */
  demo?: boolean;
  /** For throwaway suites: PostgreSQL flushes nothing to disk. */
  fast?: boolean;
  /** Receives every step when it is done, and every failure. */
  say?: (line: string) => void;
  /** Receives every step when it begins. */
  begin?: (title: string) => void;
  /** Stops the suite, even while it is starting. */
  signal?: AbortSignal;
  /** Processes that replace the suite's own, for tests of the launcher. */
  rows?: ProcessRow[];
}

/** A process to start: a row of the table, with its own ports. */
export interface PlannedProcess {
  /** Process name: `crm`, or `crm-2` for its second replica. */
  name: string;
  row: ProcessRow;
  http_port: number;
  grpc_port: number | null;
  operations_port: number;
}

/** All decisions about a suite before its start. */
export interface StartPlan {
  root: string;
  data: string;
  port: number;
  postgres_port: number;
  nats_port: number;
  config: LauncherConfig;
  rows: ProcessRow[];
  processes: PlannedProcess[];
  environment: (process: PlannedProcess) => Record<string, string>;
  fast: boolean;
  /** Factor for all deadlines: more than 1 on a slow machine. */
  deadline_factor: number;
}

/** Databases without flushes belong to tests. Their machine is busy with other tests, so it is slow but not down. */
const TEST_FACTOR = 5;

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Chooses names, ports and folders. */
export function planSuite(options: SuiteOptions): StartPlan {
  const rows = options.rows ?? processes;
  const config = {
    ...launcherConfig(rows.filter((row) => row.service).map((row) => row.name)),
    ...options.servers,
  };
  const { environment = {} } = options;
  const port = options.port === 'free' ? randomPort() : (options.port ?? config.port);
  const replicas = options.replicas ?? {};
  for (const name of Object.keys(replicas)) {
    if (!rows.some((row) => row.name === name)) throw new LaunchError(`Unknown process "${name}" in --replicas.`);
  }
  return {
    root: ROOT,
    data: resolve(options.data ?? join(ROOT, '.data')),
    port,
    postgres_port: port + SERVER_PORTS.postgres,
    nats_port: port + SERVER_PORTS.nats,
    config,
    rows,
    processes: rows.flatMap((row) =>
      Array.from({ length: replicas[row.name] ?? 1 }, (_, index) => place(row, port, index)),
    ),
    environment: typeof environment === 'function' ? environment : () => environment,
    fast: options.fast ?? false,
    deadline_factor: options.fast ? TEST_FACTOR : 1,
  };
}

/**
 * Returns a random port below the ports that the system assigns to outgoing connections, with room for a suite's other
 * ports.
 */
function randomPort(): number {
  return 10_000 + 100 * Math.floor(Math.random() * 220);
}

function place(row: ProcessRow, port: number, replica: number): PlannedProcess {
  const base = port + replica * REPLICA_STEP;
  return {
    name: replica === 0 ? row.name : `${row.name}-${replica + 1}`,
    row,
    http_port: base + row.http,
    grpc_port: row.service ? base + row.service.grpc : null,
    operations_port: base + row.operations,
  };
}

/** Returns every port on which the suite will listen, with the process that uses it. */
export function portsOf(plan: StartPlan): Array<{ port: number; wanted_by: string }> {
  const isEmbedded = Object.keys(plan.config.database_urls).length === 0;
  return [
    ...plan.processes.flatMap(({ name, http_port, grpc_port, operations_port }) => [
      { port: http_port, wanted_by: name },
      ...(grpc_port === null ? [] : [{ port: grpc_port, wanted_by: `${name} (gRPC)` }]),
      { port: operations_port, wanted_by: `${name} (health and metrics)` },
    ]),
    ...(isEmbedded ? [{ port: plan.postgres_port, wanted_by: 'PostgreSQL' }] : []),
    ...(plan.config.nats_url ? [] : [{ port: plan.nats_port, wanted_by: 'NATS' }]),
  ];
}
