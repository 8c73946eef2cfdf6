import { join } from 'node:path';
import { NATS_CREDENTIALS } from './data/nats-users.ts';
import type { StartPlan, PlannedProcess } from './plan.ts';
import { GATEWAY_CALLS } from './processes.ts';

/** The addresses that are known once the servers run. */
export interface Servers {
  nats_url: string;
  /** Service name → its own database. */
  databases: Record<string, string>;
}

const HOST = '127.0.0.1';

/** Returns the environment that all processes of this checkout share, in any suite. */
export const runtime = (root: string): Record<string, string> => ({
  NODE_ENV: 'production',
  // Filled when the checkout is set up (compile.ts), which halves the work of a start. Without it, processes that start
  // together and all write their compiled code would block for seconds.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.suite/compiled'),
  // Without this limit, the C library does not release the memory that starting used. It raises its own limit over
  // time, and retains memory per thread.
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_ARENA_MAX: '2',
  // One helper thread for V8 in addition to the main thread: each has memory of its own, and a process here shares two
  // cores with all others. The second number is a size in MiB. Under load, new objects fill three times that size
  // before they are collected. Half of V8's default makes a busy process smaller by tens of MiB, for 2% of its time.
  NODE_OPTIONS: '--v8-pool-size=1 --max-semi-space-size=16',
});

/**
 * V8 options, which V8 accepts only on the command line. By default, V8 collects old objects only after they have
 * reached hundreds of MiB, and later at a multiple of the live memory. Under load, a process with 35 MiB of live
 * objects used 95 MiB. With a first collection at 40 MiB and later ones at 1.4 times the live memory, it uses 50 MiB.
 * V8 rejects code that was compiled with other flags, so all programs that share the cache use these.
 */
export const engineFlags: readonly string[] = ['--initial-old-space-size=40', '--heap-growing-percent=40'];

/** The part of the environment that belongs to no process in particular. */
export const sharedEnvironment = (plan: StartPlan): Record<string, string> => ({
  ...runtime(plan.root),
  ...(plan.deadline_factor > 1 && { DEADLINE_FACTOR: String(plan.deadline_factor) }),
});

/** Returns the complete environment of a process. Includes only the variables listed here and the ones passed on. */
export function environmentOf(plan: StartPlan, planned: PlannedProcess, servers: Servers): Record<string, string> {
  const { row } = planned;
  const common = {
    PUBLIC_URL: publicUrl(plan),
    LOG_LEVEL: 'info',
    ...plan.config.handed_on,
    ...sharedEnvironment(plan),
    HOST,
    OPERATIONS_PORT: String(planned.operations_port),
    NATS_URL: servers.nats_url,
    ...natsCredentials(plan, row.name),
    DEMO_FILE: demoFile(plan),
    KEYS_DIR: join(plan.data, 'keys', row.name),
    // A laptop has no load balancer, so a process need not wait after it reports that it is not ready.
    SHUTDOWN_GRACE_MS: '0',
  };
  const own = row.service
    ? serviceVariables(plan, planned, row.service.calls, servers)
    : gatewayVariables(plan, planned);
  return { ...common, ...own, ...plan.environment(planned) };
}

/**
 * Returns the NATS credentials of a process. The embedded NATS knows each process. For an external one, only its
 * operator knows whether it requires credentials.
 */
function natsCredentials(plan: StartPlan, name: string): Record<string, string> {
  if (!plan.config.nats_url) return { NATS_CREDENTIALS: join(plan.data, 'keys', name, NATS_CREDENTIALS) };
  const given = plan.config.nats_credentials[name];
  return given ? { NATS_CREDENTIALS: given } : {};
}

/** The public URL of the gateway. */
export function publicUrl(plan: StartPlan): string {
  return plan.config.handed_on.PUBLIC_URL ?? `http://localhost:${plan.port}`;
}

function serviceVariables(
  plan: StartPlan,
  planned: PlannedProcess,
  calls: string[],
  servers: Servers,
): Record<string, string> {
  return {
    HTTP_PORT: String(planned.http_port),
    GRPC_PORT: String(planned.grpc_port),
    DATABASE_URL: servers.databases[planned.row.name] ?? '',
    FILES_DIR: join(plan.data, 'files', planned.row.name),
    MAIL_DIR: join(plan.data, 'mail'),
    MAIL_FROM: plan.config.handed_on.MAIL_FROM ?? 'suite@localhost',
    ...rpcVariables(plan, calls),
  };
}

function gatewayVariables(plan: StartPlan, planned: PlannedProcess): Record<string, string> {
  const services = plan.rows.filter((row) => row.service);
  const upstreams = services.map((row) => [
    `UPSTREAM_${row.name.toUpperCase()}`,
    `http://${HOST}:${plan.port + row.http}`,
  ]);
  return {
    PORT: String(planned.http_port),
    // A frontend in development runs on this machine, on any port that its tools choose.
    CORS_ORIGINS: plan.config.handed_on.CORS_ORIGINS ?? `http://localhost:*,http://${HOST}:*`,
    ...Object.fromEntries(upstreams),
    ...rpcVariables(plan, GATEWAY_CALLS),
  };
}

function rpcVariables(plan: StartPlan, names: readonly string[]): Record<string, string> {
  const asked = plan.rows.filter((row) => names.includes(row.name));
  return Object.fromEntries(
    asked.map((row) => [`RPC_${row.name.toUpperCase()}`, `${HOST}:${plan.port + (row.service?.grpc ?? 0)}`]),
  );
}

/** Returns the file in which the demo seed stores the logins that it created. */
export function demoFile(plan: StartPlan): string {
  return join(plan.data, 'demo.json');
}
