import { Problem } from './problem.ts';

type Environment = Record<string, string | undefined>;

/** What the machine's environment says about the programs that we start. */
export interface MachineConfig {
  nats_server: string | undefined;
  path: string;
}

/** What replaces the embedded parts of the suite, and what is handed on to its processes. */
export interface LauncherConfig {
  port: number;
  nats_url: string | undefined;
  /** Process name → the file with its credentials for the NATS in `nats_url`. */
  nats_credentials: Record<string, string>;
  /** Service name → address of its own database. Empty: the embedded PostgreSQL is used. */
  database_urls: Record<string, string>;
  /** Variables that every process gets as they are. */
  handed_on: Record<string, string>;
}

/** What a program needs of its surroundings. Nothing else is inherited: a stray HOST or PORT must not reach a service. */
const SURROUNDINGS = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];
/** What a user may set for the processes, and what they do without otherwise. */
export const OPTIONAL = [
  'LOG_LEVEL',
  'PUBLIC_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'RATE_LIMITS',
  'RATE_LIMIT_DATABASE_URL',
  'TRUST_PROXY',
  'CORS_ORIGINS',
  'CONNECTIONS_PER_ADDRESS',
];
const DEFAULT_PORT = 4000;
/** The highest port of a suite lies this far above its first. */
const PORT_SPAN = 1000;

/** Reads where programs are looked for. */
export function machineConfig(environment: Environment = process.env): MachineConfig {
  return { nats_server: environment.NATS_SERVER, path: environment.PATH ?? '' };
}

/** Reads what the launcher is told; a value that makes no sense is a `Problem` in one sentence. */
export function launcherConfig(services: string[], environment: Environment = process.env): LauncherConfig {
  return {
    port: readPort(environment.PORT),
    nats_url: environment.NATS_URL || undefined,
    nats_credentials: readCredentials([...services, 'gateway'], environment),
    database_urls: readDatabases(services, environment),
    handed_on: pick([...SURROUNDINGS, ...OPTIONAL], environment),
  };
}

function readPort(text: string | undefined): number {
  if (!text) return DEFAULT_PORT;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port + PORT_SPAN < 65_536) return port;
  throw new Problem(`PORT must be a number from 1 to ${65_535 - PORT_SPAN}, not "${text}".`);
}

function readCredentials(names: string[], environment: Environment): Record<string, string> {
  const variable = (name: string) => `NATS_CREDENTIALS_${name.toUpperCase()}`;
  return Object.fromEntries(
    names.flatMap((name) => (environment[variable(name)] ? [[name, String(environment[variable(name)])]] : [])),
  );
}

function readDatabases(services: string[], environment: Environment): Record<string, string> {
  const variable = (service: string) => `DATABASE_URL_${service.toUpperCase()}`;
  const missing = services.filter((service) => !environment[variable(service)]);
  if (missing.length === services.length) return {};
  if (missing.length > 0) {
    throw new Problem(
      `${missing.map(variable).join(', ')} is missing: give the database of every service, or of none.`,
    );
  }
  return Object.fromEntries(services.map((service) => [service, environment[variable(service)] ?? '']));
}

function pick(names: string[], environment: Environment): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}
