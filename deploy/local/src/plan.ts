import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LauncherConfig, launcherConfig } from './config.ts';
import { LaunchError } from './launch-error.ts';
import { type ProcessRow, processes, REPLICA_STEP, SERVER_PORTS } from './processes.ts';

/** The choices of a caller of `startSuite`. */
export interface SuiteOptions {
  /** Where everything that the suite keeps lies; `.data` in the repository unless given. */
  data?: string;
  /** The gateway's port; every other port is an offset from it. `free`: wherever nobody listens, for tests. */
  port?: number | 'free';
  /** How many processes a service gets, when more than one. */
  replicas?: Record<string, number>;
  /** More variables for every process, for tests (`RATE_LIMITS`, …). */
  environment?: Record<string, string>;
  /** Removes what an earlier suite kept in `data` first. */
  reset?: boolean;
  /** Whether the demo workspace is made; it is, unless false. */
  demo?: boolean;
  /** For suites that are thrown away: its PostgreSQL flushes nothing to the disk. */
  fast?: boolean;
  /** Told every step when it is done, and everything that goes wrong. */
  say?: (line: string) => void;
  /** Told every step when it begins. */
  begin?: (title: string) => void;
  /** Stops the suite while it is still starting. */
  signal?: AbortSignal;
  /** Other processes than the suite's own, for tests of the launcher. */
  rows?: ProcessRow[];
}

/** One process to start: a row of the table, on ports of its own. */
export interface PlannedProcess {
  /** `crm`, and `crm-2` for its second replica. */
  name: string;
  row: ProcessRow;
  http_port: number;
  grpc_port: number | null;
  operations_port: number;
}

/** Everything about a suite that is decided before the first thing is started. */
export interface Plan {
  root: string;
  data: string;
  port: number;
  postgres_port: number;
  nats_port: number;
  config: LauncherConfig;
  rows: ProcessRow[];
  processes: PlannedProcess[];
  environment: Record<string, string>;
  fast: boolean;
}

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Decides names, ports and places. */
export function planSuite(options: SuiteOptions): Plan {
  const rows = options.rows ?? processes;
  const config = launcherConfig(rows.filter((row) => row.service).map((row) => row.name));
  const port = options.port === 'free' ? randomPort() : (options.port ?? config.port);
  const replicas = options.replicas ?? {};
  for (const name of Object.keys(replicas)) {
    if (!rows.some((row) => row.name === name && row.service))
      throw new LaunchError(`There is no service "${name}" to replicate.`);
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
    environment: options.environment ?? {},
    fast: options.fast ?? false,
  };
}

/** Below the ports that the system gives to outgoing connections, and apart from its neighbours. */
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

/** Every port that the suite will listen on, and who wants it. */
export function portsOf(plan: Plan): Array<{ port: number; wanted_by: string }> {
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
