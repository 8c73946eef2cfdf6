import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sqltag as sql } from '@prisma/client/runtime/client';
import { LeadLost } from '@suite/proto/crm/v1/events';
import { connect, headers, type NatsConnection, type NatsError } from 'nats';
import pino from 'pino';
import { type Fixture, openFixture, ownNats, silentLog, type TestNats, waitUntil } from '../../test/fixture.ts';
import type { Bus } from '../bus/bus.ts';
import type { RowReader } from '../database/database.ts';
import { startRelay } from '../journal/relay.ts';
import type { Log } from '../runtime/log.ts';
import { consumers, startConsumers } from './consume.ts';
import { listDeadLetters } from './dead-letters.ts';

const on = consumers<RowReader>();
const SUBJECT = 'crm.lead.lost';
const aggregate_id = randomUUID();

let fixture: Fixture;
let nats: TestNats;
let bus: Bus;
/** A program that publishes and creates streams like the release before epochs. */
let previous: NatsConnection;
let close: (() => Promise<unknown>)[];

beforeEach(async () => {
  [fixture, nats] = [await openFixture(), await ownNats()];
  await nats.start();
  bus = nats.bus();
  previous = await connect({ servers: nats.url });
  await waitUntil('NATS is there', () => bus.connected());
  close = [() => previous.close(), nats.close, fixture.close];
});
afterEach(async () => {
  for (const end of close) await end();
});

const eventOf = (reason: string, position: number) => ({
  id: randomUUID(),
  type: SUBJECT,
  schema_version: 'v1',
  workspace_id: fixture.workspace_id,
  aggregate_id,
  position,
  occurred_at: '2026-01-01T00:00:00.000Z',
  actor: null,
  trace_id: 'trace',
  data: { reason },
});

/** Starts a consumer that notes the reason of each lost lead. */
function startConsumer(log: Log = silentLog): void {
  const consumer = on(LeadLost, 'epochs.note', ({ event, db }) =>
    db.rows(sql`INSERT INTO notes (text) VALUES (${event.reason})`),
  );
  const running = startConsumers([consumer], { bus, database: fixture.database, log, rpc: () => ({}) });
  close.unshift(() => running.stop());
}

async function notes(): Promise<string[]> {
  const { rows } = await fixture.pool.query('SELECT text FROM notes ORDER BY ctid');
  return rows.map((row) => row.text);
}

/** Publishes without an epoch, after creating the stream unless it exists. */
async function publishAsBefore(event: object): Promise<void> {
  const { streams } = await previous.jetstreamManager();
  const creation = streams.add({ name: 'CRM', subjects: ['crm.>'] });
  await creation.catch((error: NatsError) => {
    if (error.api_error?.err_code !== 10_058) throw error; // The stream exists with other settings.
  });
  await previous.jetstream().publish(SUBJECT, JSON.stringify(event));
}

/** Starts a relay on the journal of the database. */
function startPublishing(): { wake(): void } {
  const relay = startRelay({ database: fixture.database, bus, log: silentLog });
  close.unshift(() => relay.flush(0));
  return relay;
}

/** Records an event in the journal, as a command does. */
async function announce(reason: string): Promise<void> {
  const event = eventOf(reason, 1);
  const row = [event.workspace_id, event.trace_id, JSON.stringify([event])];
  await fixture.pool.query('INSERT INTO journal (workspace_id, trace_id, events) VALUES ($1, $2, $3)', row);
}

const waiting = async () => (await fixture.pool.query('SELECT FROM journal_waiting')).rowCount;

describe('a rolling upgrade from the release before epochs', () => {
  test.each([
    ['the previous', true],
    ['the new', false],
  ])('loses no event of either release if %s one has created the stream', async (_, isPreviousFirst) => {
    const { wake } = startPublishing();
    const sent: string[] = [];
    const send = async (count: number) => {
      for (let number = 0; number < count; number += 1) {
        const isPrevious = (sent.length % 2 === 0) === isPreviousFirst;
        const reason = `${isPrevious ? 'previous' : 'new'} ${sent.length}`;
        sent.push(reason);
        if (isPrevious) await publishAsBefore(eventOf(reason, 1));
        else {
          await announce(reason);
          wake();
          await waitUntil('it is published', async () => (await waiting()) === 0);
        }
      }
    };
    await send(10); // More than are read one by one.
    startConsumer();
    await send(3);
    await waitUntil('all are processed', async () => (await notes()).length >= sent.length);
    expect((await notes()).toSorted()).toEqual(sent.toSorted());
    expect(await listDeadLetters(fixture.pool)).toEqual([]);
    expect(bus.refusal()).toBeUndefined();
  });
});

describe('a relay', () => {
  test('publishes in the epoch of the database, and nothing on a stream of another epoch', async () => {
    const { wake } = startPublishing();
    await fixture.pool.query('UPDATE journal_relay SET epoch = 4');
    await announce('first');
    wake();
    await waitUntil('it is published', async () => (await waiting()) === 0);
    expect((await bus.read(SUBJECT, 0)).map(({ epoch }) => epoch)).toEqual([4]);
    await fixture.pool.query('UPDATE journal_relay SET epoch = 5');
    await announce('second');
    wake();
    await waitUntil('the bus refuses', () => bus.refusal() !== undefined);
    expect(bus.refusal()).toMatch('The bus is older than this restored database (stream CRM has epoch 4, not 5)');
    expect(await waiting()).toBe(1);
    await nats.erase();
    await waitUntil('it is published', async () => (await waiting()) === 0, 30_000);
    expect(await bus.stream(SUBJECT)).toMatchObject({ last: 1, epoch: 5 });
  });
});

describe('a consumer', () => {
  test('rejects events of another epoch, and continues behind them', async () => {
    const lines: string[] = [];
    startConsumer(pino(new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) })));
    await bus.publish(SUBJECT, JSON.stringify(eventOf('first', 1)), { id: randomUUID() });
    const about = headers();
    about.set('Suite-Epoch', '9');
    await previous.jetstream().publish(SUBJECT, JSON.stringify(eventOf('ghost', 2)), { headers: about });
    await bus.publish(SUBJECT, JSON.stringify(eventOf('own', 3)), { id: randomUUID() });
    await waitUntil('the own event is processed', async () => (await notes()).includes('own'));
    expect(await notes()).toEqual(['first', 'own']);
    expect(await listDeadLetters(fixture.pool)).toEqual([]);
    const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'Event of another epoch rejected');
    expect(logged).toMatchObject([{ consumer: 'epochs.note', epoch: 9, database_epoch: 1 }]);
  });

  test('reads nothing from a bus of another epoch', async () => {
    await bus.publish(SUBJECT, JSON.stringify(eventOf('ghost', 1)), { id: randomUUID(), epoch: 2 });
    startConsumer();
    await waitUntil('the bus refuses', () => bus.refusal() !== undefined);
    expect(bus.refusal()).toMatch('This database is older than the bus');
    expect((await fixture.pool.query('SELECT FROM received_events')).rowCount).toBe(0);
    expect(await notes()).toEqual([]);
  });
});
