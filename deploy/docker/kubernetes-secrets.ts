/** Secrets that the Helm chart refers to, with the same contents that `prepare.ts` and `secrets.ts` create for containers. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { databasePasswords, makeKeys } from '../local/src/data/keys.ts';
import { NATS_CREDENTIALS, natsUsers } from '../local/src/data/nats-users.ts';
import { processes } from '../local/src/processes.ts';

/** The values of `postgres.kind` in the chart. */
export const POSTGRES_KINDS = ['external', 'single', 'cluster', 'cluster-per-service'] as const;
export type PostgresKind = (typeof POSTGRES_KINDS)[number];

/** Where the suite is installed. */
export interface Installation {
  /** Name of the Helm release. */
  release: string;
  postgres: PostgresKind;
  /** Host of an external PostgreSQL server or pooler, with its port unless it is 5432. */
  host?: string;
  /** Host of the server behind a pooler, for migrations. */
  direct?: string;
}

/** A Secret of Kubernetes. */
export interface SecretManifest {
  apiVersion: 'v1';
  kind: 'Secret';
  metadata: { name: string; labels: Record<string, string> };
  type: 'Opaque' | 'kubernetes.io/basic-auth';
  stringData: Record<string, string>;
}

/** The servers of a NATS cluster that the chart installs. */
const NATS_SERVERS = 3;
/** The database in which gateways count requests, and its login. */
const RATE_LIMITS = 'rate_limits';

/**
 * Returns the Secrets of an installation. Stores their contents in a folder, and reads what is already there, so that a
 * further run with the same folder only adds what is missing.
 */
export function secretManifests(directory: string, installation: Installation): SecretManifest[] {
  const names = processes.map(({ name }) => name);
  const services = processes.filter(({ service }) => service).map(({ name }) => name);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  makeKeys(directory, names);
  const users = natsUsers(directory, processes);
  const logins = [...services, RATE_LIMITS, 'nats_routes', ...serversOf(installation, services).map(superuserOf)];
  const passwords = databasePasswords(join(directory, 'passwords.json'), logins);
  return [
    ...names.map((name) => secret(installation, `${name}-keys`, keysIn(join(directory, name)))),
    ...services.flatMap((name) => databaseSecrets(installation, name, passwords[name] ?? '')),
    ...serverSecrets(installation, services, passwords),
    secret(installation, 'nats-users', {
      'users.conf': users,
      'cluster.conf': clusterConfig(installation.release, passwords['nats_routes'] ?? ''),
    }),
  ];
}

function secret({ release }: Installation, name: string, stringData: Record<string, string>): SecretManifest {
  const labels = {
    'app.kubernetes.io/instance': release,
    'app.kubernetes.io/part-of': 'suite',
    // CloudNativePG applies changed passwords.
    ...(stringData['username'] && { 'cnpg.io/reload': 'true' }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `${release}-${name}`, labels },
    type: stringData['username'] ? 'kubernetes.io/basic-auth' : 'Opaque',
    stringData,
  };
}

/** Returns the files with the keys of a process: `trusted/crm.pem` becomes `trusted-crm.pem`. */
function keysIn(folder: string): Record<string, string> {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const inside = (kind: string) =>
    readdirSync(join(folder, kind)).map((name) => [`${kind}-${name}`, read(join(kind, name))] as const);
  return {
    'private.pem': read('private.pem'),
    // The key for tokens, after a rotation.
    ...(existsSync(join(folder, 'signing.pem')) && { 'signing.pem': read('signing.pem') }),
    [NATS_CREDENTIALS]: read(NATS_CREDENTIALS),
    ...Object.fromEntries([...inside('master'), ...inside('trusted')]),
  };
}

/** Returns the names of the PostgreSQL servers that the chart installs, without the release. */
function serversOf({ postgres }: Installation, services: readonly string[]): string[] {
  if (postgres === 'external') return [];
  return postgres === 'cluster-per-service' ? services.map((name) => `${name}-postgres`) : ['postgres'];
}

const superuserOf = (server: string): string => `${server}-superuser`;

/** Returns the address of a database on the server that contains the databases of a service. */
function databaseUrl(
  { release, postgres, host }: Installation,
  service: string,
  login: string,
  password: string,
): string {
  const server = postgres === 'cluster-per-service' ? `${service}-postgres` : 'postgres';
  const address = host ?? `${release}-${server}-rw`;
  return `postgres://${login}:${password}@${address.includes(':') ? address : `${address}:5432`}/${login}`;
}

function databaseSecrets(installation: Installation, service: string, password: string): SecretManifest[] {
  const url = databaseUrl(installation, service, service, password);
  const { direct } = installation;
  const login = secret(installation, `${service}-database`, {
    username: service,
    password,
    DATABASE_URL: url,
    ...(direct && { DATABASE_DIRECT_URL: databaseUrl({ ...installation, host: direct }, service, service, password) }),
  });
  const requests = { username: `${service}_requests`, password };
  // CloudNativePG reads the password of each login from a Secret with its name.
  const isManaged = installation.postgres.startsWith('cluster');
  return isManaged ? [login, secret(installation, `${service}-database-requests`, requests)] : [login];
}

/** Returns the Secrets with the superusers, and with the database of the gateways in the first cluster. */
function serverSecrets(
  installation: Installation,
  services: readonly string[],
  passwords: Record<string, string>,
): SecretManifest[] {
  const superusers = serversOf(installation, services).map((server) => {
    const name = superuserOf(server);
    return secret(installation, name, { username: 'postgres', password: passwords[name] ?? '' });
  });
  if (!installation.postgres.startsWith('cluster')) return superusers;
  const password = passwords[RATE_LIMITS] ?? '';
  const url = databaseUrl(installation, services[0] ?? '', RATE_LIMITS, password);
  const gateway = { username: RATE_LIMITS, password, RATE_LIMIT_DATABASE_URL: url };
  return [...superusers, secret(installation, 'gateway-database', gateway)];
}

/** Returns the NATS configuration of a cluster. A server without the password cannot join it. */
function clusterConfig(release: string, password: string): string {
  const routes = Array.from(
    { length: NATS_SERVERS },
    (_, at) => `    "nats://routes:${password}@${release}-nats-${at}.${release}-nats:6222"`,
  );
  return `cluster {
  name: ${JSON.stringify(release)}
  listen: "0.0.0.0:6222"
  authorization { user: routes, password: ${JSON.stringify(password)} }
  routes: [
${routes.join('\n')}
  ]
}
`;
}
