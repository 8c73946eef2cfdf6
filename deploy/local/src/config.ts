import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';

type Environment = Record<string, string | undefined>;

/** Environment of the machine, limited to the programs that the launcher starts. */
export interface MachineConfig {
  nats_server: string | undefined;
  path: string;
}

/** Settings that replace the embedded servers of the suite, and settings that are passed to its processes. */
export interface LauncherConfig {
  port: number;
  nats_url: string | undefined;
  /** Process name → the file with its credentials for the NATS in `nats_url`. */
  nats_credentials: Record<string, string>;
  /** Service name → address of its own database. If empty, the suite uses the embedded PostgreSQL. */
  database_urls: Record<string, string>;
  /** Folder of the backups and of the archive of the write-ahead log. Without it, nothing is archived. */
  backup_dir: string | undefined;
  /** Variables that every process receives unchanged. */
  handed_on: Record<string, string>;
  /** Faults in the settings, one sentence each. */
  faults: string[];
}

/** Variables that a program needs. Processes inherit no others: a stray HOST or PORT must not reach a service. */
const SURROUNDINGS = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];
/** The settings that a user may set for the processes, with their defaults. */
export const OPTIONAL = [
  'LOG_LEVEL',
  'PUBLIC_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'OUTGOING_TRUSTED_HOSTS',
  'FILES_S3_BUCKET',
  'FILES_S3_ENDPOINT',
  'FILES_S3_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_REGION',
  'FILE_SCAN_URL',
  'FILE_SCAN_TIMEOUT_MS',
  'FILE_SCAN_ON_FAILURE',
  'RATE_LIMITS',
  'RATE_LIMIT_DATABASE_URL',
  'TRUST_PROXY',
  'CORS_ORIGINS',
  'CONNECTIONS_PER_ADDRESS',
  'STRIPE_API_URL',
  'STRIPE_LIVE_KEY',
  'STRIPE_TEST_KEY',
  'STRIPE_LIVE_WEBHOOK_SECRETS',
  'STRIPE_TEST_WEBHOOK_SECRETS',
];
const DEFAULT_PORT = 4000;
/** Distance from the first to the highest port of a suite. */
const PORT_SPAN = 1000;

/** Reads the folders in which to look for programs. */
export function machineConfig(environment: Environment = process.env): MachineConfig {
  return { nats_server: environment.NATS_SERVER, path: environment.PATH ?? '' };
}

/** Reads the launcher's settings. Lists invalid settings in `faults`, and uses their defaults. */
export function launcherConfig(services: string[], environment: Environment = process.env): LauncherConfig {
  const faults: string[] = [];
  return {
    port: readPort(environment.PORT, faults),
    nats_url: readNats(environment.NATS_URL, faults),
    nats_credentials: readCredentials([...services, 'gateway'], environment, faults),
    database_urls: readDatabases(services, environment, faults),
    backup_dir: readFolder('BACKUP_DIR', environment, faults),
    handed_on: pick([...SURROUNDINGS, ...OPTIONAL], environment),
    faults,
  };
}

function readPort(text: string | undefined, faults: string[]): number {
  if (!text) return DEFAULT_PORT;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port + PORT_SPAN < 65_536) return port;
  faults.push(`PORT must be a number from 1 to ${65_535 - PORT_SPAN}, not "${text}"`);
  return DEFAULT_PORT;
}

function readNats(text: string | undefined, faults: string[]): string | undefined {
  if (!text || text.split(',').every((url) => isAddress(url, NATS))) return text || undefined;
  faults.push('NATS_URL must be an address like nats://127.0.0.1:4222, or several separated by commas');
  return undefined;
}

function readFolder(variable: string, environment: Environment, faults: string[]): string | undefined {
  const folder = environment[variable] || undefined;
  if (folder === undefined || isAbsolute(folder)) return folder;
  faults.push(`${variable} must be the absolute path of a folder, not "${folder}"`);
  return undefined;
}

const NATS = /^(nats|tls|wss?):$/;
const POSTGRES = /^postgres(ql)?:$/;
const isAddress = (text: string, protocol: RegExp): boolean => protocol.test(URL.parse(text)?.protocol ?? '');

/** Returns name → value of the variables `<PREFIX><NAME>` that are set. Adds a fault for each unknown name. */
function readPrefixed(
  prefix: string,
  names: string[],
  environment: Environment,
  faults: string[],
): Record<string, string> {
  const given = Object.entries(environment).flatMap(([variable, value]) =>
    variable.startsWith(prefix) && value ? [[variable.slice(prefix.length), value] as const] : [],
  );
  const known = new Map(names.map((name) => [name.toUpperCase(), name]));
  for (const [name] of given) {
    if (!known.has(name)) faults.push(`${prefix}${name} names none of ${names.join(', ')}`);
  }
  return Object.fromEntries(
    given.flatMap(([name, value]) => (known.has(name) ? [[known.get(name) ?? '', value]] : [])),
  );
}

function readCredentials(names: string[], environment: Environment, faults: string[]): Record<string, string> {
  const files = readPrefixed('NATS_CREDENTIALS_', names, environment, faults);
  for (const [name, file] of Object.entries(files)) {
    if (!existsSync(file))
      faults.push(`NATS_CREDENTIALS_${name.toUpperCase()} names a file that does not exist: ${file}`);
  }
  return files;
}

function readDatabases(services: string[], environment: Environment, faults: string[]): Record<string, string> {
  const urls = readPrefixed('DATABASE_URL_', services, environment, faults);
  for (const [name, url] of Object.entries(urls)) {
    // The message does not repeat the value, because it may contain a password.
    if (!isAddress(url, POSTGRES))
      faults.push(`DATABASE_URL_${name.toUpperCase()} must be an address like postgres://user:password@host:5432/name`);
  }
  const missing = services.filter((service) => !urls[service]);
  if (missing.length === services.length || missing.length === 0) return urls;
  const variables = missing.map((name) => `DATABASE_URL_${name.toUpperCase()}`).join(', ');
  faults.push(`${variables} is missing: give the database of every service, or of none`);
  return {};
}

function pick(names: string[], environment: Environment): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}
