import { join } from 'node:path';
import { NATS_CREDENTIALS } from './data/nats-users.ts';
import type { Plan, PlannedProcess } from './plan.ts';

/** The addresses that are known once the servers run. */
export interface Servers {
  nats_url: string;
  /** Service name → its own database. */
  databases: Record<string, string>;
}

const HOST = '127.0.0.1';

/** How every process of this checkout runs, whatever its suite. */
export const runtime = (root: string): Record<string, string> => ({
  NODE_ENV: 'production',
  // Filled when the checkout is set up (compile.ts): starting then takes half the work. Processes that begin together and
  // all write down what each has compiled would stand still for seconds.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.suite/compiled'),
  // Otherwise the C library keeps for itself what starting took: it raises this limit as it goes, and hoards per thread.
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_ARENA_MAX: '2',
  // One helper for V8 beside the main thread: each has memory of its own, and a process here shares two cores with all others.
  // Under load new objects fill three times the second number, in MiB, before they are looked through. Half of what V8 would
  // take on its own makes a busy process smaller by tens of MiB, for two hundredths of its time.
  NODE_OPTIONS: '--v8-pool-size=1 --max-semi-space-size=16',
});

/**
 * V8's options on the command line, as it takes them from nowhere else. On its own it lets old objects pile up to hundreds of
 * MiB before it looks through them for the first time, and to some times what is alive after that: under load a process of
 * 35 MiB of living objects held 95. Looked through at 40 MiB and then at 1.4 times what is alive, it holds 50.
 * V8 rejects code that was compiled with other flags: all programs that share the cache have these.
 */
export const engineFlags: readonly string[] = ['--initial-old-space-size=40', '--heap-growing-percent=40'];

/** The part of the environment that belongs to no process in particular. */
export const sharedEnvironment = (plan: Plan): Record<string, string> => ({
  ...runtime(plan.root),
  // Databases that do not flush are those of tests, whose machine is busy with other tests: slow, and not down.
  ...(plan.fast && { DEADLINE_FACTOR: '5' }),
});

/** The whole environment of one process; nothing that is not listed here or handed on reaches it. */
export function environmentOf(plan: Plan, planned: PlannedProcess, servers: Servers): Record<string, string> {
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
    // Nobody balances load in front of a laptop: there is no one to wait for after readiness went off.
    SHUTDOWN_GRACE_MS: '0',
  };
  const own = row.service
    ? serviceVariables(plan, planned, row.service.calls, servers)
    : gatewayVariables(plan, planned);
  return { ...common, ...own, ...plan.environment };
}

/** The embedded NATS knows each process; of another one only its operator knows whether it asks who is there. */
function natsCredentials(plan: Plan, name: string): Record<string, string> {
  if (!plan.config.nats_url) return { NATS_CREDENTIALS: join(plan.data, 'keys', name, NATS_CREDENTIALS) };
  const given = plan.config.nats_credentials[name];
  return given ? { NATS_CREDENTIALS: given } : {};
}

/** The gateway's address as users see it. */
export function publicUrl(plan: Plan): string {
  return plan.config.handed_on.PUBLIC_URL ?? `http://localhost:${plan.port}`;
}

function serviceVariables(
  plan: Plan,
  planned: PlannedProcess,
  calls: string[],
  servers: Servers,
): Record<string, string> {
  return {
    HTTP_PORT: String(planned.http_port),
    GRPC_PORT: String(planned.grpc_port),
    DATABASE_URL: servers.databases[planned.row.name] ?? '',
    ...(plan.fast && { DATABASE_WAIT_MS: '20000' }),
    FILES_DIR: join(plan.data, 'files', planned.row.name),
    MAIL_DIR: join(plan.data, 'mail'),
    MAIL_FROM: plan.config.handed_on.MAIL_FROM ?? 'suite@localhost',
    ...rpcVariables(plan, calls),
  };
}

function gatewayVariables(plan: Plan, planned: PlannedProcess): Record<string, string> {
  const services = plan.rows.filter((row) => row.service);
  const upstreams = services.map((row) => [
    `UPSTREAM_${row.name.toUpperCase()}`,
    `http://${HOST}:${plan.port + row.http}`,
  ]);
  return {
    PORT: String(planned.http_port),
    // A frontend in the making runs on this machine, on whatever port its tools choose.
    CORS_ORIGINS: plan.config.handed_on.CORS_ORIGINS ?? `http://localhost:*,http://${HOST}:*`,
    ...Object.fromEntries(upstreams),
    ...rpcVariables(plan, ['platform']),
  };
}

function rpcVariables(plan: Plan, names: string[]): Record<string, string> {
  const asked = plan.rows.filter((row) => names.includes(row.name));
  return Object.fromEntries(
    asked.map((row) => [`RPC_${row.name.toUpperCase()}`, `${HOST}:${plan.port + (row.service?.grpc ?? 0)}`]),
  );
}

/** Where the demo seed keeps the logins that it made. */
export function demoFile(plan: Plan): string {
  return join(plan.data, 'demo.json');
}
