/** Fixtures for the chassis's own tests: a separate database, and a NATS server that can be stopped and started. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@suite/local/ports';
import { createServiceDatabase, type NatsServer, startNats } from '@suite/local/servers';
import { migrate } from '@suite/migrations';
import pg from 'pg';
import pino from 'pino';
import { type Bus, connectBus, untilStopped } from '../src/bus/bus.ts';
import { type Database, openDatabase, type RowReader } from '../src/database/database.ts';
import { type Caller, type Keys, makeKeys } from '../src/identity/identity.ts';

export const silentLog = pino({ level: 'silent' });

/** Creates a directory that the caller removes. */
export const temporaryDirectory = (): string => mkdtempSync(join(tmpdir(), 'suite-chassis-'));

/** Waits until a condition is true, and fails after ten seconds. */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
  patience_ms = 10_000,
): Promise<void> {
  for (let waited = 0; waited < patience_ms; waited += 20) {
    if (await holds()) return;
    await pause(20);
  }
  throw new Error(`Timed out waiting until ${what}.`);
}

export interface Fixture {
  workspace_id: string;
  database: Database<RowReader>;
  url: string;
  /** The connection URL of a superuser. */
  admin_url: string;
  /** The connections of the superuser. */
  pool: pg.Pool;
  close(): Promise<void>;
}

const NOTES = `
  CREATE TABLE notes (workspace_id uuid NOT NULL DEFAULT current_setting('suite.workspace_id')::uuid, text text NOT NULL);
  SELECT suite_confine('notes');`;

/** Opens a database with the chassis's tables and one table with row-level security, `notes`. */
export async function openFixture(onCommit: (due: ReadonlySet<string>) => void = () => undefined): Promise<Fixture> {
  const name = `chassis_${randomUUID().replaceAll('-', '')}`;
  const url = await createServiceDatabase(process.env['SUITE_TEST_ADMIN_URL']!, { name, password: 'test' });
  await migrate({ databaseUrl: url, directory: 'no service' });
  const admin_url = Object.assign(new URL(process.env['SUITE_TEST_ADMIN_URL']!), { pathname: name }).href;
  const pool = new pg.Pool({ connectionString: admin_url, options: '-c timezone=UTC' });
  pool.on('error', () => undefined);
  await pool.query(`SET ROLE ${name}_owner; ${NOTES} RESET ROLE`);
  const database = openDatabase({
    settings: { DATABASE_URL: url },
    max: 8,
    wait_ms: 30_000,
    makeClient: () => ({}),
    onCommit,
  }) as unknown as Database<RowReader>;
  const close = async () => {
    await Promise.all([database.close(), pool.end()]);
  };
  return { workspace_id: randomUUID(), database, url, admin_url, pool, close };
}

export interface TestNats {
  url: string;
  bus(name?: string): Bus;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Restarts without any stored data. */
  erase(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a separate NATS server, not started yet. It keeps its streams between stop and start. */
export async function ownNats(): Promise<TestNats> {
  const directory = temporaryDirectory();
  const port = await freePort();
  const buses: Bus[] = [];
  let server: NatsServer | undefined;
  const url = `nats://127.0.0.1:${port}`;
  const stop = async () => {
    await server?.stop();
    server = undefined;
  };
  return {
    url,
    bus(name = 'test') {
      const bus = connectBus({ url, name, log: silentLog });
      buses.push(bus);
      return bus;
    },
    async start() {
      server = await startNats({ directory, port });
    },
    stop,
    async erase() {
      await stop();
      rmSync(directory, { recursive: true, force: true });
      server = await startNats({ directory, port });
    },
    async close() {
      await Promise.all(buses.map((bus) => bus.drain()));
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Passes the existing and future messages of a subject to `hear`, until `stop`. */
export function subscribe(bus: Bus, subject: string, hear: (payload: string) => void): { stop(): Promise<void> } {
  return untilStopped(async (stopping) => {
    for (let position = 0; !stopping.aborted; ) {
      const messages = await bus.read(subject, position).catch(() => []);
      for (const { payload } of messages) hear(payload);
      if (messages.length === 0) await pause(20);
      position = messages.at(-1)?.position ?? position;
    }
  });
}

/** Returns keys of processes that trust each other. */
export function keysOf(...names: string[]): Record<string, Keys> {
  const pairs = names.map((name) => [name, generateKeyPairSync('ec', { namedCurve: 'P-256' })] as const);
  const trusted = new Map(pairs.map(([name, pair]) => [name, [pair.publicKey]]));
  return Object.fromEntries(pairs.map(([name, pair]) => [name, makeKeys(name, pair.privateKey, trusted)]));
}

/** Kim, a sales user of a workspace. */
export const kim: Caller = {
  user_id: '0190b1c4-0000-7000-8000-000000000001',
  user_name: 'Kim',
  kind: 'staff',
  workspace_id: '0190b1c4-0000-7000-8000-00000000000a',
  role: 'sales',
  permissions: ['lead.view'],
  record_scopes: {},
  modules: ['crm'],
  timezone: 'UTC',
  currency: 'EUR',
};
