import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from '@jest/globals';
import type { Caller } from '@suite/chassis/identity';
import {
  type Keys,
  makeKeys,
  openLog,
  type RunningService,
  type Service,
  type ServedRpc,
  startRpcServer,
  startService,
} from '@suite/chassis/testing';
import { calledServices } from '@suite/chassis/declarations';
import { freePort } from '@suite/local/ports';
import { processes } from '@suite/local/processes';
import { copyServiceDatabase, createServiceDatabase, type NatsServer, startNats } from '@suite/local/servers';
import { migrate } from '@suite/migrations';
import pg from 'pg';
import { referencesOf } from './fakes/references.ts';
import { rejectionCheckOf } from './refusals.ts';
import { makeCaller, type Member, memberOf, type CallerOptions } from './member.ts';

export interface StartOptions {
  /** Fakes of the services that the service calls, by name. */
  fakes?: Record<string, ServedRpc>;
  /** A running instance of the same service whose database this one shares. Makes this one a second replica. */
  replicaOf?: ServiceUnderTest;
  connections?: number;
}

/** Running service with the tools that a test needs. */
export interface ServiceUnderTest extends RunningService {
  gateway: Keys;
  database_url: string;
  nats_url: string;
  mail_directory: string;
  files_directory: string;
  /** Returns a caller with these rights. */
  member(rights?: CallerOptions): Member;
  /** A caller who has not signed in. */
  anonymous: Member;
  /** Superuser connections that bypass all policies and workspaces. */
  admin: pg.Pool;
  /** Queries the database as that superuser. */
  sql<Row = Record<string, ReturnType<typeof JSON.parse>>>(
    text: TemplateStringsArray,
    ...values: unknown[]
  ): Promise<Row[]>;
}

const NAMES = [...processes.map(({ name }) => name), 'notebook'];
const pairs = new Map(NAMES.map((name) => [name, generateKeyPairSync('ec', { namedCurve: 'P-256' })]));
const trusted = new Map([...pairs].map(([name, { publicKey }]) => [name, [publicKey]]));

/** Returns the keys of a process, shared by all tests of a file. */
export const keysOf = (name: string): Keys => makeKeys(name, pairs.get(name)!.privateKey, trusted);

/** Returns a caller whom the gateway has sent to a service, so that the service may act for this caller. */
export const forwardedCaller = (service: string, caller: Caller): Caller =>
  keysOf(service).verify(keysOf('gateway').sign(service, caller), service).caller!;

const root = fileURLToPath(new URL('../../..', import.meta.url));

function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run tests through "npm test" or scripts/jest.mjs.`);
  return value;
}

/** The services that a test file has started. */
interface StartedServers {
  nats: Promise<NatsServer>;
  services: RunningService[];
  fakes: { stop(grace_ms: number): Promise<void> }[];
  admins: pg.Pool[];
}

let startedServers: StartedServers | undefined;

/**
 * Clears the references of a stopped service. The module of a test file lives as long as its worker and would retain 20
 * MB per file.
 */
function clearReferences(service: RunningService): void {
  for (const name of Object.keys(service)) Reflect.deleteProperty(service, name);
}

/**
 * Returns the services that this test file has started. Modules live longer than a file, so the list is cleared at the
 * end of the file.
 */
function serversOfFile(directory: string): StartedServers {
  if (startedServers) return startedServers;
  const nats = startNats({ directory: join(directory, 'nats'), port: 0 });
  // A file that fails before its first test runs no `afterAll`. The next file starts its own server.
  nats.catch(() => {
    startedServers = undefined;
  });
  const begun: StartedServers = { nats, services: [], fakes: [], admins: [] };
  afterAll(async () => {
    startedServers = undefined;
    await Promise.all(begun.services.map((service) => service.stop()));
    await Promise.all(begun.fakes.map((fake) => fake.stop(0)));
    await Promise.all(begun.admins.map((pool) => pool.end()));
    await (await nats).stop();
    for (const service of begun.services) clearReferences(service);
  });
  startedServers = begun;
  return begun;
}

/** Copies the service's migrated template database. The first test that needs the template creates it. */
async function freshDatabase(name: string): Promise<string> {
  const admin_url = setting('SUITE_TEST_ADMIN_URL');
  const template = `template_${name}`;
  const login = { name: template, password: 'test' };
  const admin = new pg.Client({ connectionString: admin_url });
  await admin.connect();
  try {
    await admin.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [template]);
    const made = await admin.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (made.rowCount === 0) {
      const building = `building_${name}_${randomUUID().slice(0, 8)}`;
      const url = await createServiceDatabase(admin_url, { ...login, database: building });
      const folders = [`services/${name}`, 'packages/example-service'];
      const directory = folders.map((folder) => join(root, folder)).find(existsSync);
      await migrate({ databaseUrl: url, directory: directory! });
      await admin.query(`ALTER DATABASE "${building}" RENAME TO "${template}"`);
    }
    const database = `${name}_${randomUUID().slice(0, 8)}`;
    return await copyServiceDatabase(admin_url, { ...login, database, template });
  } finally {
    await admin.end();
  }
}

function adminOf(database_url: string): pg.Pool {
  const url = new URL(setting('SUITE_TEST_ADMIN_URL'));
  url.pathname = new URL(database_url).pathname;
  return new pg.Pool({ connectionString: url.href, max: 4, options: '-c timezone=UTC' });
}

/** Starts a real gRPC server as the fake of a service outside the test. */
async function startFake({ fakes }: StartedServers, name: string, served: ServedRpc | undefined): Promise<string> {
  const nothing = undefined as never;
  const server = await startRpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [...(served ? [served] : []), referencesOf(name)],
    keys: keysOf(name),
    database: nothing,
    storage: nothing,
    log: openLog(name, 'silent'),
  });
  fakes.push(server);
  return `127.0.0.1:${server.port}`;
}

/** Settings that are the same in all tests. */
const SETTINGS = {
  HOST: '127.0.0.1',
  HTTP_PORT: 0,
  GRPC_PORT: 0,
  OPERATIONS_PORT: 0,
  LOG_LEVEL: (process.env['SUITE_TEST_LOG'] as 'error' | undefined) ?? ('silent' as const),
  SHUTDOWN_GRACE_MS: 0,
  // A long timeout: a busy machine is slow, not unavailable.
  DATABASE_WAIT_MS: 30_000,
  JOURNAL_CHANGES_DAYS: 3_650,
  JOURNAL_EVENTS_DAYS: 30,
  DISCARDED_FILES_DAYS: 0,
  DEADLINE_FACTOR: Number(process.env['DEADLINE_FACTOR'] ?? 1),
  MAIL_FROM: 'Suite <suite@example.com>',
  PUBLIC_URL: 'http://suite.test',
  FILE_SCAN_TIMEOUT_MS: 10_000,
  FILE_SCAN_ON_FAILURE: 'refuse' as const,
  // Fakes of external servers listen in the test's own process.
  OUTGOING_TRUSTED_HOSTS: ['127.0.0.1'],
};

/**
 * Starts a service in this process, on its own database, and stops it after the test file. Its scheduled work never
 * starts automatically between two steps of a test: a test calls the `work` of the schedules it needs.
 */
export async function start(contents: Service, options: StartOptions = {}): Promise<ServiceUnderTest> {
  const { name } = contents;
  const directory = mkdtempSync(join(setting('SUITE_TEST_DIR'), `${name}-`));
  const here = serversOfFile(directory);
  const nats_url = (await here.nats).url;
  const database_url = options.replicaOf?.database_url ?? (await freshDatabase(name));
  const referrers = (contents.owns ?? []).flatMap((kind) => kind.referrers.map((of) => [of, undefined] as const));
  const called = Object.entries<ServedRpc | undefined>({ ...Object.fromEntries(referrers), ...options.fakes });
  const addresses = Object.fromEntries(
    await Promise.all(called.map(async ([of, served]) => [of, await startFake(here, of, served)] as const)),
  );
  for (const of of calledServices(contents)) addresses[of] ??= `127.0.0.1:${await freePort()}`;

  const files_directory = options.replicaOf?.files_directory ?? join(directory, 'files');
  const mail_directory = join(directory, 'mail');
  const service = await startService(
    { ...contents, schedules: [] },
    {
      ...SETTINGS,
      NATS_URL: nats_url,
      KEYS_DIR: directory,
      DATABASE_URL: database_url,
      DATABASE_CONNECTIONS: options.connections ?? 8,
      FILES_DIR: files_directory,
      MAIL_DIR: mail_directory,
      addresses,
    },
    keysOf(name),
    true,
  );
  here.services.push(service);
  const admin = adminOf(database_url);
  here.admins.push(admin);
  const gateway = keysOf('gateway');
  const door = { name, url: service.url, gateway };
  const check = rejectionCheckOf(contents);
  const serving: ServiceUnderTest = Object.assign(service, {
    gateway,
    database_url,
    nats_url,
    mail_directory,
    files_directory,
    admin,
    member: (rights: CallerOptions = {}) => memberOf(door, makeCaller(rights), check),
    anonymous: memberOf(door, null),
    sql: async (text: TemplateStringsArray, ...values: unknown[]) => {
      const statement = text.reduce((before, part, at) => `${before}$${at}${part}`);
      return (await admin.query(statement, values)).rows;
    },
  });
  return serving;
}

/** Starts a service with this number of replicas, one after the other. */
export async function startReplicas(
  contents: Service,
  { replicas = 1, ...options }: StartOptions & { replicas?: number },
): Promise<{ serving: ServiceUnderTest; others: ServiceUnderTest[] }> {
  const serving = await start(contents, options);
  const others: ServiceUnderTest[] = [];
  while (others.length < replicas - 1) others.push(await start(contents, { ...options, replicaOf: serving }));
  return { serving, others };
}
