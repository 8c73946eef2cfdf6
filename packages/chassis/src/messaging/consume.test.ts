import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sqltag as sql } from '@prisma/client/runtime/client';
import { LeadConverted, LeadLost } from '@suite/proto/crm/v1/events';
import pino from 'pino';
import { type Fixture, openFixture, ownNats, silentLog, type TestNats, waitUntil } from '../../test/fixture.ts';
import type { Bus, Stoppable } from '../bus/bus.ts';
import { type Consumer, consumers, startConsumers } from './consume.ts';
import type { RowReader } from '../database/database.ts';
import { Unavailable } from '../runtime/fault.ts';
import { listDeadLetters, replayDeadLetters } from './dead-letters.ts';

const on = consumers<RowReader, { name: string }>();
let fixture: Fixture;
let nats: TestNats;
let bus: Bus;
let running: Stoppable | undefined;

beforeAll(async () => {
  fixture = await openFixture();
  nats = await ownNats();
  await nats.start();
  bus = nats.bus();
  await waitUntil('NATS is there', () => bus.connected());
});

afterEach(async () => {
  await running?.stop();
  await fixture.pool.query('TRUNCATE notes, dead_letters, received_events, event_lanes');
});

afterAll(async () => {
  await nats.close();
  await fixture.close();
});

const start = (...declared: Consumer[]) => {
  running = startConsumers(declared, {
    bus,
    database: fixture.database,
    log: silentLog,
    rpc: () => ({ name: 'neighbour' }),
  });
};

const envelope = (data: object, more: object = {}) => ({
  id: randomUUID(),
  type: 'crm.lead.converted',
  schema_version: 'v1',
  workspace_id: fixture.workspace_id,
  aggregate_id: randomUUID(),
  position: 1,
  occurred_at: '2026-01-01T00:00:00.000Z',
  actor: null,
  trace_id: 'trace',
  data,
  ...more,
});

/** Publishes like the relay, but with a new ID each time, as after the window for duplicates. */
const publish = (message: object, subject = 'crm.lead.converted') =>
  bus.publish(subject, JSON.stringify(message), { id: randomUUID() });

async function notes(): Promise<string[]> {
  const { rows } = await fixture.pool.query('SELECT text FROM notes ORDER BY ctid');
  return rows.map((row) => row.text);
}

const note = (db: RowReader, text: string) => db.rows(sql`INSERT INTO notes (text) VALUES (${text})`);

describe('a consumer', () => {
  test('processes an event once if it is delivered three times', async () => {
    const message = envelope({ lead_id: randomUUID(), deal_id: 'd1' });
    start(on(LeadConverted, 'a.note', async ({ event, db }) => note(db, event.deal_id)));
    for (let times = 0; times < 3; times += 1) await publish(message);
    await publish(envelope({ deal_id: 'last' }, { aggregate_id: message.aggregate_id, position: 2 }));
    await waitUntil('the last one is noted', async () => (await notes()).includes('last'));
    expect(await notes()).toEqual(['d1', 'last']);
  });

  test('runs in the workspace of the event, with its prepared values', async () => {
    const workspace_id = randomUUID();
    const prepare = async ({ rpc, event }: { rpc: { name: string }; event: LeadConverted }) =>
      `${rpc.name} of ${event.deal_id}`;
    start(on(LeadConverted, 'b.note', prepare, async ({ prepared, db }) => note(db, prepared)));
    await publish(envelope({ deal_id: 'd2' }, { workspace_id }));
    await waitUntil('it is noted', async () => (await notes()).includes('neighbour of d2'));
    const { rows } = await fixture.pool.query(`SELECT workspace_id FROM notes WHERE text = 'neighbour of d2'`);
    expect(rows).toEqual([{ workspace_id }]);
  });

  test('skips other events without storing them', async () => {
    const concerns = ({ deal_id }: LeadConverted) => deal_id.startsWith('of concern');
    start({ ...on(LeadConverted, 'o.note', ({ event, db }) => note(db, event.deal_id)), concerns });
    const { aggregate_id, ...passed } = envelope({ deal_id: 'of none' });
    await publish({ ...passed, aggregate_id });
    await publish(envelope({ deal_id: 'of concern' }, { aggregate_id, position: 2 }));
    await waitUntil('the last one is noted', async () => (await notes()).length > 0);
    expect(await notes()).toEqual(['of concern']);
    const { rows } = await fixture.pool.query("SELECT event_id FROM inbox WHERE consumer = 'o.note'");
    expect(rows).toHaveLength(1);
  });

  test('rolls everything back on failure and retries', async () => {
    let failures = 0;
    start(
      on(LeadConverted, 'c.note', async ({ event, db }) => {
        await note(db, event.deal_id);
        if (event.deal_id === 'fails' && failures++ < 2) throw new Error('not yet');
      }),
    );
    const first = envelope({ deal_id: 'fails' });
    await publish(first);
    await publish(envelope({ deal_id: 'after' }, { aggregate_id: first.aggregate_id, position: 2 }));
    await waitUntil('both are noted', async () => (await notes()).includes('after'));
    expect((await notes()).filter((text) => text === 'fails' || text === 'after')).toEqual(['fails', 'after']);
    expect(failures).toBe(3);
  });

  test.each([
    ['an unavailable dependency', undefined],
    ['the lock of another transaction', { code: '55P03' }],
  ])('waits for %s without counting an attempt', async (_, cause) => {
    let outages = 0;
    const handle = async ({ event, db }: { event: { reason: string }; db: RowReader }) => {
      if (outages++ < 6) throw Object.assign(Unavailable(), { cause });
      await note(db, event.reason);
    };
    start(on(LeadLost, 'd.note', handle));
    await publish(envelope({ reason: 'waited' }, { type: 'crm.lead.lost' }), 'crm.lead.lost');
    await waitUntil('it is noted', async () => (await notes()).includes('waited'));
    expect(await listDeadLetters(fixture.pool)).toEqual([]);
  });

  test('survives a restart of NATS that loses every stream', async () => {
    const other = await ownNats();
    await other.start();
    const bus = other.bus();
    const stopping = startConsumers([on(LeadLost, 'e.note', async ({ event, db }) => note(db, event.reason))], {
      bus,
      database: fixture.database,
      log: silentLog,
      rpc: () => ({}),
    });
    const send = (reason: string) =>
      bus.publish('crm.lead.lost', JSON.stringify(envelope({ reason }, { type: 'crm.lead.lost' })), {
        id: randomUUID(),
      });
    await waitUntil('NATS is there', () => bus.connected());
    await send('before');
    await waitUntil('it is noted', async () => (await notes()).includes('before'));
    await other.erase();
    await waitUntil('NATS is there', () => bus.connected());
    await send('behind');
    await waitUntil('it is noted', async () => (await notes()).includes('behind'));
    await stopping.stop();
    await other.close();
  });

  test('logs the event, workspace, request and trace', async () => {
    const lines: string[] = [];
    const log = pino(new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) }));
    running = startConsumers([on(LeadLost, 'l.note', () => Promise.reject(new Error('no')))], {
      bus,
      database: fixture.database,
      log,
      rpc: () => ({}),
    });
    // Uses a new workspace, so that it does not wait for earlier events. It fails here, too.
    const workspace_id = randomUUID();
    const message = envelope({ reason: 'l' }, { type: 'crm.lead.lost', request_id: 'request', workspace_id });
    await publish(message, 'crm.lead.lost');
    const { id: event_id } = message;
    const expected = {
      consumer: 'l.note',
      event_id,
      workspace_id,
      request_id: 'request',
      trace_id: 'trace',
      attempt: 1,
    };
    const told = () => lines.map((line) => JSON.parse(line)).filter((line) => line.event_id === event_id);
    await waitUntil('it is logged', () => told().length > 0);
    expect(told()[0]).toMatchObject(expected);
  });

  test('must not share its name', () => {
    const consumer = on(LeadLost, 'f.note', async () => undefined);
    expect(() => start(consumer, { ...consumer })).toThrow('Two consumers are called f.note.');
  });
});

describe('a message that cannot be processed', () => {
  test('becomes a dead letter after five attempts, without blocking other records', async () => {
    let broken = true;
    const aggregate_id = randomUUID();
    start(
      on(LeadConverted, 'g.note', async ({ event, db }) => {
        if (broken && event.deal_id === 'poison') throw new Error('The deal makes no sense.');
        await note(db, event.deal_id);
      }),
    );
    const poison = envelope({ deal_id: 'poison' }, { aggregate_id });
    await bus.publish('crm.lead.converted', JSON.stringify(poison), { id: poison.id });
    await publish(envelope({ deal_id: 'same record' }, { aggregate_id, position: 2 }));
    await publish(envelope({ deal_id: 'other record' }));
    await waitUntil('the other record is noted', async () => (await notes()).includes('other record'), 60_000);
    await waitUntil('both are dead letters', async () => (await listDeadLetters(fixture.pool)).length === 2, 60_000);
    const deadLetters = await listDeadLetters(fixture.pool, { consumer: 'g.note' });
    expect(
      deadLetters.map(({ reason, attempts, event_id }) => ({ reason, attempts, first: event_id === poison.id })),
    ).toEqual([
      { reason: 'The deal makes no sense.', attempts: 5, first: true },
      {
        reason: expect.stringContaining('An earlier event of the same record is a dead letter.'),
        attempts: 1,
        first: false,
      },
    ]);

    broken = false;
    expect(await replayDeadLetters(fixture.pool, { consumer: 'g.note' })).toHaveLength(2);
    await waitUntil('there are no dead letters', async () => (await listDeadLetters(fixture.pool)).length === 0);
    expect((await notes()).slice(-2)).toEqual(['poison', 'same record']);
    await replayDeadLetters(fixture.pool);
    expect((await notes()).filter((text) => text === 'poison').length).toBe(1);
  }, 240_000);

  test('is replayed only for its own consumer', async () => {
    const seen: string[] = [];
    let broken = true;
    start(
      on(LeadLost, 'h.first', async ({ event }) => {
        if (broken && event.reason === 'h') throw new Error('no');
        seen.push(`first ${event.reason}`);
      }),
      on(LeadLost, 'h.second', async ({ event }) => void seen.push(`second ${event.reason}`)),
    );
    await publish(envelope({ reason: 'h' }, { type: 'crm.lead.lost', schema_version: 'v1' }), 'crm.lead.lost');
    await waitUntil('it is a dead letter', async () => (await listDeadLetters(fixture.pool)).length === 1, 20_000);
    await fixture.pool.query(`DELETE FROM inbox WHERE consumer = 'h.second'`);
    broken = false;
    await replayDeadLetters(fixture.pool);
    await waitUntil('it has taken effect', () => seen.includes('first h'));
    expect(seen.filter((text) => text === 'second h').length).toBe(1);
  }, 240_000);

  test('becomes a dead letter immediately if its schema is unknown or it is unreadable', async () => {
    start(on(LeadConverted, 'i.note', async ({ event, db }) => note(db, event.deal_id)));
    await publish(envelope({ deal_id: 'newer' }, { schema_version: 'v2' }));
    await publish({ nothing: 'at all' });
    await bus.publish('crm.lead.converted', 'no\0 json', { id: randomUUID() });
    await publish(envelope({ deal_id: 7 }, { data: 'no object' }));
    await publish(envelope({ deal_id: 'readable' }));
    await waitUntil('the readable one is noted', async () => (await notes()).includes('readable'));
    await waitUntil('the others are dead letters', async () => (await listDeadLetters(fixture.pool)).length === 4);
    const { rows } = await fixture.pool.query(
      `SELECT reason, attempts, envelope FROM dead_letters WHERE consumer = 'i.note' ORDER BY failed_at`,
    );
    expect(rows.map((row) => row.attempts)).toEqual([1, 1, 1, 1]);
    const reasons = rows.map((row) => row.reason);
    expect(reasons).toContainEqual(expect.stringContaining('The message has schema v2, but this service knows v1.'));
    expect(reasons.filter((reason) => reason.includes('malformed'))).toHaveLength(3);
    expect(rows.map((row) => row.envelope)).toContainEqual({ undecodable: 'no json' });
  });
});
