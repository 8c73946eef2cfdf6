import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { sqltag as sql } from '@prisma/client/runtime/client';
import { LeadConverted } from '@suite/proto/crm/v1/events';
import { AckPolicy, connect } from 'nats';
import { type Fixture, openFixture, ownNats, silentLog, type TestNats, waitUntil } from '../../test/fixture.ts';
import type { Bus, Stoppable } from '../bus/bus.ts';
import { type Consumer, consumers, startConsumers } from './consume.ts';
import type { RowReader } from '../database/database.ts';
import { Unavailable } from '../runtime/fault.ts';

const on = consumers<RowReader>();
let fixture: Fixture;
let nats: TestNats;
let bus: Bus;
const running: Stoppable[] = [];

beforeAll(async () => {
  fixture = await openFixture();
  nats = await ownNats();
  await nats.start();
  bus = nats.bus();
  await waitUntil('NATS is there', () => bus.connected());
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((replica) => replica.stop()));
  await fixture.pool.query('TRUNCATE notes, received_events, event_lanes');
});

afterAll(async () => {
  await nats.close();
  await fixture.close();
});

/** Creates a consumer for the events of its own test. The stream also contains the events of other tests. */
const consumer = (name: string, handle: (event: string, workspace_id: string) => Promise<unknown>): Consumer =>
  on(LeadConverted, name, async ({ event, envelope, db }) => {
    if (!event.deal_id.startsWith(name.slice(0, 2))) return;
    await handle(event.deal_id, envelope.workspace_id);
    await db.rows(sql`INSERT INTO notes (text) VALUES (${event.deal_id})`);
  });

/** Starts a replica of a service with this consumer. */
const start = (consumer: Consumer) =>
  running.push(
    startConsumers([consumer], { bus: nats.bus(), database: fixture.database, log: silentLog, rpc: () => ({}) }),
  );

interface About {
  workspace_id?: string;
  aggregate_id?: string;
  version?: number;
}

async function publish(
  deal_id: string,
  { workspace_id = randomUUID(), aggregate_id = randomUUID(), version = 1 }: About,
) {
  const envelope = {
    id: randomUUID(),
    type: 'crm.lead.converted',
    schema_version: 'v1',
    workspace_id,
    aggregate_id,
    position: version,
    occurred_at: '2026-01-01T00:00:00.000Z',
    actor: null,
    trace_id: null,
    data: { lead_id: aggregate_id, deal_id },
  };
  await bus.publish(envelope.type, JSON.stringify(envelope), { id: randomUUID() });
  return envelope.id;
}

async function notes(prefix = ''): Promise<string[]> {
  const { rows } = await fixture.pool.query('SELECT text FROM notes WHERE text LIKE $1 ORDER BY ctid', [`${prefix}%`]);
  return rows.map((row) => row.text);
}

test('does not delay other workspaces by a slow event', async () => {
  const slow = randomUUID();
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  let waiting = 0;
  const hold = async (_: string, workspace_id: string) => {
    if (workspace_id !== slow) return;
    waiting += 1;
    await gate;
  };
  start(consumer('a.slow', hold));
  for (let at = 0; at < 10; at += 1) await publish(`a.slow ${at}`, { workspace_id: slow });
  await waitUntil('the slow ones are at work', () => waiting > 0);
  for (let at = 0; at < 20; at += 1) await publish(`a.other ${at}`, {});
  try {
    await waitUntil('all others are noted', async () => (await notes('a.other')).length === 20);
    expect(await notes('a.slow')).toEqual([]);
  } finally {
    release();
  }
  await waitUntil('the slow ones are noted', async () => (await notes('a.slow')).length === 10);
});

test('does not delay other workspaces by an event that waits for an outage', async () => {
  const cut_off = randomUUID();
  let down = true;
  const meetOutage = async (_: string, workspace_id: string) => {
    if (down && workspace_id === cut_off) throw Unavailable();
  };
  start(consumer('b.outage', meetOutage));
  for (let at = 0; at < 10; at += 1) await publish(`b.cut off ${at}`, { workspace_id: cut_off });
  for (let at = 0; at < 20; at += 1) await publish(`b.other ${at}`, {});
  await waitUntil('all others are noted', async () => (await notes('b.other')).length === 20);
  expect(await notes('b.cut off')).toEqual([]);
  const { rows } = await fixture.pool.query('SELECT max(attempts) AS attempts FROM received_events');
  expect(rows).toEqual([{ attempts: 0 }]);
  down = false;
  await waitUntil('the rest is noted', async () => (await notes('b.cut off')).length === 10);
});

test('does not occupy a partition during a long preparation', async () => {
  let gathering = 0;
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const prepare = async ({ event }: { event: LeadConverted }) => {
    if (!event.deal_id.startsWith('c.slow')) return;
    gathering += 1;
    await gate;
  };
  const note = ({ event, db }: { event: LeadConverted; db: RowReader }) =>
    db.rows(sql`INSERT INTO notes (text) VALUES (${event.deal_id})`);
  start(on(LeadConverted, 'c.prepare', prepare, note));
  for (let at = 0; at < 12; at += 1) await publish(`c.slow ${at}`, {});
  try {
    await waitUntil('all of them prepare', () => gathering === 12);
    await publish('c.other', {});
    await waitUntil('the other one is noted', async () => (await notes('c.other')).length === 1);
  } finally {
    release();
  }
  await waitUntil('the rest is noted', async () => (await notes('c.slow')).length === 12);
});

test("keeps the order of each record's events with two replicas, even on failures", async () => {
  const failed = new Set<string>();
  let [at_once, most] = [0, 0];
  const stumble = async (deal_id: string) => {
    at_once += 1;
    most = Math.max(most, at_once);
    await pause(2);
    at_once -= 1;
    if (!deal_id.endsWith('3') || failed.has(deal_id)) return;
    failed.add(deal_id);
    throw new Error('not yet');
  };
  for (let replica = 0; replica < 2; replica += 1) start(consumer('d.order', stumble));
  const records = Array.from({ length: 12 }, (_, at) => ({ name: `d.${at}`, aggregate_id: randomUUID() }));
  const workspaces = [randomUUID(), randomUUID(), randomUUID()];
  for (let version = 1; version <= 5; version += 1) {
    for (const [at, { name, aggregate_id }] of records.entries())
      await publish(`${name} ${version}`, { workspace_id: workspaces[at % 3]!, aggregate_id, version });
  }
  await waitUntil('all is noted', async () => (await notes('d.')).length === 60, 20_000);
  for (const { name } of records)
    expect(await notes(`${name} `)).toEqual([1, 2, 3, 4, 5].map((version) => `${name} ${version}`));
  expect(most).toBeGreaterThan(1);
});

test('another replica finishes the work of a dead one, once', async () => {
  const [workspace_id, first, second] = [randomUUID(), randomUUID(), randomUUID()];
  const insert = `INSERT INTO received_events (consumer, event_id, workspace_id, slot, envelope) VALUES ('e.died', $1, $2, 0, $3)`;
  for (const [id, deal_id] of [
    [first, 'e.done'],
    [second, 'e.left'],
  ] as const) {
    const envelope = {
      id,
      type: 'crm.lead.converted',
      schema_version: 'v1',
      workspace_id,
      aggregate_id: workspace_id,
      position: 1,
      occurred_at: '2026-01-01T00:00:00.000Z',
      actor: null,
      trace_id: null,
      data: { deal_id },
    };
    await fixture.pool.query(insert, [id, workspace_id, envelope]);
  }
  // The event had its effect, but the replica died before it could report that.
  await fixture.pool.query(`INSERT INTO inbox (consumer, event_id) VALUES ('e.died', $1)`, [first]);
  await fixture.pool.query(
    `INSERT INTO event_lanes (consumer, workspace_id, slot, due_at, taken_by) VALUES ('e.died', $1, 0, now() + interval '1 second', $2)`,
    [workspace_id, randomUUID()],
  );
  start(consumer('e.died', async () => undefined));
  await waitUntil('what was left is noted', async () => (await notes('e.left')).length === 1);
  expect(await notes('e.done')).toEqual([]);
  await waitUntil('nothing is left', async () => (await fixture.pool.query('SELECT FROM event_lanes')).rowCount === 0);
});

test('starts a consumer at the position of an earlier release', async () => {
  const ids = [await publish('f.first', {}), await publish('f.in hand', {}), await publish('f.waiting', {})];
  const connection = await connect({ servers: nats.url });
  const { consumers: known, streams } = await connection.jetstreamManager();
  const last = (await streams.info('CRM')).state.last_seq;
  const durable = { durable_name: 'f_taken_over', filter_subject: 'crm.lead.converted', max_ack_pending: 1 };
  const from = { deliver_policy: 'by_start_sequence', opt_start_seq: last - 2 } as const;
  await known.add('CRM', { ...durable, ...from, ack_policy: AckPolicy.Explicit } as never);
  const earlier = await connection.jetstream().consumers.get('CRM', 'f_taken_over');
  await (await earlier.next())?.ackAck();
  await earlier.next();
  start(consumer('f.taken_over', async () => undefined));
  await waitUntil('the others are noted', async () => (await notes('f.')).length === 2);
  expect(new Set(await notes('f.'))).toEqual(new Set(['f.in hand', 'f.waiting']));
  const { rows } = await fixture.pool.query(`SELECT event_id FROM inbox WHERE consumer = 'f.taken_over'`);
  expect(new Set(rows.map(({ event_id }) => event_id))).toEqual(new Set(ids.slice(1)));
  await connection.close();
});
