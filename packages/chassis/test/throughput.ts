/**
 * Measures the throughput of consumers. `node packages/chassis/test/throughput.ts [events]` starts PostgreSQL, NATS and
 * two replicas of a service whose only consumer writes one row. It prints events per second, and the delay of other
 * workspaces while an event of one workspace takes long.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sqltag as sql } from '@prisma/client/runtime/client';
import { createServiceDatabase, startNats, startPostgres } from '@suite/local/servers';
import { migrate } from '@suite/migrations';
import { LeadConverted } from '@suite/proto/crm/v1/events';
import pg from 'pg';
import { freePort } from '@suite/local/ports';
import { connectBus } from '../src/bus/bus.ts';
import { consumers, startConsumers } from '../src/messaging/consume.ts';
import { openDatabase, type RowReader } from '../src/database/database.ts';
import { temporaryDirectory, silentLog } from './fixture.ts';

const WORKSPACES = 50;
const SLOW_MS = 30_000;
const PATIENCE_MS = 300_000;

/** Starts one replica in a separate process. */
function replica(url: string, nats_url: string): void {
  const database = openDatabase({
    settings: { DATABASE_URL: url },
    max: 8,
    makeClient: () => ({}),
    onCommit: () => undefined,
  });
  const note = consumers<RowReader>()(LeadConverted, 'measured.note', async ({ event, db }) => {
    if (event.deal_id === 'slow') await pause(SLOW_MS);
    await db.rows(sql`INSERT INTO notes (text) VALUES (${event.deal_id})`);
  });
  const bus = connectBus({ url: nats_url, name: 'measured', log: silentLog });
  startConsumers([note], { bus, database, log: silentLog, rpc: () => ({}) });
}

interface Stage {
  pool: pg.Pool;
  publish(deal_id: string, workspace: number): Promise<void>;
  /** Starts two replicas. */
  begin(): void;
  untilNoted(count: number): Promise<void>;
}

/** Publishes events for many workspaces, and prints how many per second two replicas process. */
async function measureRate({ pool, publish, begin, untilNoted }: Stage, events: number): Promise<void> {
  for (let at = 0; at < events; at += 100)
    await Promise.all(Array.from({ length: 100 }, (_, more) => publish('many', at + more)));
  begin();
  await untilNoted(events);
  const rate = 'SELECT count(*) / extract(epoch FROM max(at) - min(at)) AS rate FROM notes';
  console.log(`${Math.round((await pool.query(rate)).rows[0].rate)} events per second over two replicas`);
}

/** Prints the delay of events behind a slow event of another workspace. */
async function measureWaits({ pool, publish, untilNoted }: Stage, events: number): Promise<void> {
  await publish('slow', 0);
  await pause(500);
  for (let at = 0; at < 200; at += 1) {
    const { rows } = await pool.query('SELECT clock_timestamp()::text AS now');
    await publish(rows[0].now, 1 + (at % (WORKSPACES - 1)));
    await pause(20);
  }
  await untilNoted(events + 200);
  const waits = `SELECT extract(epoch FROM at - text::timestamptz) * 1000 AS ms FROM notes WHERE text LIKE '2%' ORDER BY 1`;
  const { rows } = await pool.query(waits);
  const [median, most] = [rows[100].ms, rows.at(-1).ms].map(Math.round);
  console.log(`While one event takes 30 s, others wait ${median} ms, ${most} ms at most`);
}

async function openFixture(
  admin_url: string,
  nats_url: string,
  replicas: ChildProcess[],
): Promise<Stage & { close(): Promise<unknown> }> {
  const url = await createServiceDatabase(admin_url, { name: 'measured', password: 'measured' });
  await migrate({ databaseUrl: url, directory: 'no service' });
  const pool = new pg.Pool({ connectionString: url, max: 2, options: '-c role=measured_owner' });
  await pool.query(`CREATE TABLE notes (workspace_id uuid NOT NULL DEFAULT current_setting('suite.workspace_id')::uuid,
    text text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp()); SELECT suite_confine('notes')`);
  const bus = connectBus({ url: nats_url, name: 'event-publisher', log: silentLog });
  await new Promise<void>((resolve) => bus.onConnect(resolve));
  const workspaces = Array.from({ length: WORKSPACES }, () => randomUUID());
  const noted = async () => Number((await pool.query('SELECT count(*) AS n FROM notes')).rows[0].n);
  return {
    pool,
    async publish(deal_id, workspace) {
      const [id, aggregate_id, workspace_id] = [randomUUID(), randomUUID(), workspaces[workspace % WORKSPACES]];
      const envelope = {
        id,
        type: 'crm.lead.converted',
        schema_version: 'v1',
        workspace_id,
        aggregate_id,
        position: 1,
        occurred_at: '2026-01-01T00:00:00.000Z',
        actor: null,
        trace_id: null,
        data: { deal_id },
      };
      await bus.publish(envelope.type, JSON.stringify(envelope), { id });
    },
    begin() {
      const program = fileURLToPath(import.meta.url);
      for (let at = 0; at < 2; at += 1) replicas.push(fork(program, ['replica', url, nats_url]));
    },
    async untilNoted(count) {
      for (const began = performance.now(); (await noted()) < count; await pause(50))
        if (performance.now() - began > PATIENCE_MS) throw new Error(`Only ${await noted()} of ${count} are recorded.`);
    },
    close: () => Promise.all([bus.drain(), pool.end()]),
  };
}

async function measure(events: number): Promise<void> {
  const directory = temporaryDirectory();
  const postgres = await startPostgres({ directory: join(directory, 'postgres'), port: await freePort() });
  const nats = await startNats({ directory: join(directory, 'nats'), port: 0 });
  const replicas: ChildProcess[] = [];
  try {
    const fixture = await openFixture(postgres.adminUrl, nats.url, replicas);
    await measureRate(fixture, events);
    await measureWaits(fixture, events);
    await fixture.close();
  } finally {
    for (const one of replicas) one.kill();
    await nats.stop();
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

// Whole hundreds.
const [first = '5000', ...more] = process.argv.slice(2);
if (first === 'replica') replica(more[0]!, more[1]!);
else await measure(Number(first));
