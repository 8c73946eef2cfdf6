import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LeadCreated } from '@suite/proto/crm/v1/events';
import {
  subscribe,
  type Fixture,
  openFixture,
  ownNats,
  silentLog,
  type TestNats,
  waitUntil,
} from '../../test/fixture.ts';
import type { Bus, Stoppable } from '../bus/bus.ts';
import { Envelope } from '../operation/events.ts';
import { type Relay, startRelay } from './relay.ts';

let fixture: Fixture;
let nats: TestNats;
let relay: Relay | undefined;
const following: Stoppable[] = [];

beforeAll(async () => {
  fixture = await openFixture(() => relay?.wake());
  nats = await ownNats();
  await nats.start();
});

afterAll(async () => {
  await Promise.all(following.map((one) => one.stop()));
  await nats.close();
  await fixture.close();
});

async function announce(lead_id: string, name: string): Promise<void> {
  const { workspace_id } = fixture;
  const context = { workspace_id, caller: null, operation: 'test', request_id: 'r', trace_id: 't' };
  await fixture.database.write(context, async (_, emit) =>
    emit(LeadCreated, LeadCreated.fromPartial({ lead_id, name })),
  );
}

/** Counts the events that the relay has not published. */
async function waiting(): Promise<number> {
  const { rows } = await fixture.pool.query('SELECT count(*)::int AS n FROM journal_waiting');
  return rows[0].n;
}

/** Waits until all transactions of the server that began before the events have ended. The relay publishes none earlier. */
const settled = () =>
  waitUntil('all older transactions have ended', async () => {
    const { rows } = await fixture.pool.query(
      'SELECT bool_and(transaction_id < pg_snapshot_xmin(pg_current_snapshot())) AS are_over FROM journal',
    );
    return rows[0].are_over;
  });

const positionsOf = async (aggregate_ids: readonly string[]): Promise<number[]> =>
  (
    await fixture.pool.query<{ position: string }>(
      'SELECT position FROM journal_events WHERE aggregate_id = ANY ($1) ORDER BY position',
      [aggregate_ids],
    )
  ).rows.map(({ position }) => Number(position));

/** Collects the lead envelopes that arrive from now on. */
function collect(bus: Bus): Envelope[] {
  const envelopes: Envelope[] = [];
  following.push(
    subscribe(bus, 'crm.lead.created', (payload) => void envelopes.push(Envelope.parse(JSON.parse(payload)))),
  );
  return envelopes;
}

/** Returns a bus that only records the aggregates of the published events. */
function recordingBus() {
  const published: string[] = [];
  const bus = {
    connected: () => true,
    onConnect: () => undefined,
    publish: async (_: string, payload: string) =>
      void published.push(Envelope.parse(JSON.parse(payload)).aggregate_id),
  };
  return { bus: bus as unknown as Bus, published };
}

describe('the relay', () => {
  test('publishes the events of a transaction with complete envelopes', async () => {
    const bus = nats.bus();
    const seen = collect(bus);
    relay = startRelay({ database: fixture.database, bus, log: silentLog });
    const lead_id = randomUUID();
    await announce(lead_id, 'Ada');
    await waitUntil('the event arrives', () => seen.length === 1);
    expect(seen[0]).toMatchObject({
      type: 'crm.lead.created',
      schema_version: 'v1',
      workspace_id: fixture.workspace_id,
      aggregate_id: lead_id,
      position: (await positionsOf([lead_id]))[0],
      trace_id: 't',
      actor: null,
      data: { lead_id, name: 'Ada' },
    });
    await relay.flush(1_000);
  });

  test('keeps events in the journal while NATS is down, then drains them in order', async () => {
    const bus = nats.bus();
    const seen = collect(bus);
    relay = startRelay({ database: fixture.database, bus, log: silentLog });
    await waitUntil('the earlier event is seen', () => seen.length === 1);
    await nats.stop();
    const lead_id = randomUUID();
    for (let index = 0; index < 50; index += 1) await announce(lead_id, String(index));
    expect(bus.connected()).toBe(false);
    expect(await waiting()).toBe(50);
    await nats.start();
    await waitUntil('all events are published', async () => (await waiting()) === 0);
    await waitUntil('all arrive', () => seen.length === 51);
    expect(seen.slice(1).map(({ data }) => data['name'])).toEqual(
      Array.from({ length: 50 }, (_, index) => String(index)),
    );
    expect(seen.slice(1).map((envelope) => envelope.position)).toEqual(await positionsOf([lead_id]));
    await relay.flush(1_000);
  });

  test('keeps the order per aggregate with two replicas and concurrent writers', async () => {
    const buses = [nats.bus(), nats.bus()];
    const relays = buses.map((bus) => startRelay({ database: fixture.database, bus, log: silentLog }));
    relay = { wake: () => relays.forEach((each) => each.wake()), flush: async () => undefined };
    const seen = collect(buses[0]!);
    const leads = Array.from({ length: 10 }, () => randomUUID());
    const write = async (lead_id: string) => {
      for (let times = 0; times < 10; times += 1) await announce(lead_id, 'x');
    };
    await Promise.all([...leads, ...leads].map(write));
    await waitUntil('all arrive', () => seen.length === 251, 20_000);
    for (const lead_id of leads) {
      const positions = seen
        .filter((envelope) => envelope.aggregate_id === lead_id)
        .map((envelope) => envelope.position);
      expect(positions).toHaveLength(20);
      expect(positions).toEqual(await positionsOf([lead_id]));
    }
    await Promise.all(relays.map((each) => each.flush(1_000)));
  });

  test('publishes events again under the same ID after a lost progress mark', async () => {
    const bus = nats.bus();
    const seen = collect(bus);
    relay = startRelay({ database: fixture.database, bus, log: silentLog });
    await waitUntil('the earlier events are seen', () => seen.length === 251);
    await fixture.pool.query('UPDATE journal_relay SET settled = (SELECT min(transaction_id) FROM journal)');
    relay.wake();
    await waitUntil('all events are published', async () => (await waiting()) === 0);
    await pause(300);
    expect(seen.length).toBe(251);
    await relay.flush(1_000);
  });

  test('stops at a failed event of a record, and publishes the events of other records', async () => {
    relay = undefined;
    const [stuck, free] = [randomUUID(), randomUUID()];
    for (const lead_id of [free, stuck, free, stuck]) await announce(lead_id, 'x');
    await settled();
    const [first, second] = (await positionsOf([stuck])) as [number, number];
    const begun: number[] = [];
    const refusing = {
      connected: () => true,
      onConnect: () => undefined,
      async publish(_: string, payload: string) {
        const { aggregate_id, position } = Envelope.parse(JSON.parse(payload));
        begun.push(position);
        await pause(20);
        if (aggregate_id === stuck) throw new Error('The stream is full.');
      },
    } as unknown as Bus;
    const trying = startRelay({ database: fixture.database, bus: refusing, log: silentLog });
    await waitUntil('the first event is published', async () => (await waiting()) === 3);
    await trying.flush(0);
    expect(begun).toEqual(expect.arrayContaining([...(await positionsOf([free])), first]));
    expect(begun).not.toContain(second);
    const bus = nats.bus();
    const seen = collect(bus);
    const repaired = startRelay({ database: fixture.database, bus, log: silentLog });
    await waitUntil('all events are published', async () => (await waiting()) === 0);
    await waitUntil('the events of the record arrive', () => seen.some(({ position }) => position === second));
    await repaired.flush(1_000);
  });

  test('publishes an event that commits after 1,000 later ones, before them', async () => {
    const [late, ...others] = Array.from({ length: 1_001 }, () => randomUUID());
    const { bus, published } = recordingBus();
    const slow = await fixture.pool.connect();
    const event = { id: randomUUID(), type: 'crm.lead.created', schema_version: 'v1', aggregate_id: late, data: {} };
    await slow.query(`BEGIN; SET LOCAL suite.workspace_id = '${fixture.workspace_id}'`);
    await slow.query('SELECT suite_write_journal(NULL, $1)', [JSON.stringify([event])]);
    const running = startRelay({ database: fixture.database, bus, log: silentLog });
    for (let done = 0; done < others.length; done += 20)
      await Promise.all(others.slice(done, done + 20).map((lead_id) => announce(lead_id, 'x')));
    expect(await waiting()).toBe(1_000);
    expect(published).toEqual([]);
    await slow.query('COMMIT');
    slow.release();
    await waitUntil('all events are published', async () => (await waiting()) === 0, 20_000);
    await running.flush(1_000);
    expect(published).toHaveLength(1_001);
    expect(published[0]).toBe(late);
    expect(new Set(published)).toEqual(new Set([late, ...others]));
  });

  test('publishes the remaining events when a service stops', async () => {
    const bus = nats.bus();
    const stopping = startRelay({ database: fixture.database, bus, log: silentLog });
    relay = undefined;
    await waitUntil('NATS is there', () => bus.connected());
    for (let index = 0; index < 3; index += 1) await announce(randomUUID(), 'late');
    await settled();
    await stopping.flush(2_000);
    expect(await waiting()).toBe(0);
  });

  test('publishes an event of a clock that was set back', async () => {
    const lead_id = randomUUID();
    await announce(lead_id, 'x');
    await fixture.pool.query(
      `UPDATE journal SET at = at - interval '20 days' WHERE position = (SELECT max(position) FROM journal)`,
    );
    const { bus, published } = recordingBus();
    const running = startRelay({ database: fixture.database, bus, log: silentLog });
    await waitUntil('the event is published', () => published.includes(lead_id));
    await running.flush(1_000);
  });

  test('publishes a backlog of several batches', async () => {
    await fixture.pool.query(
      `INSERT INTO journal (workspace_id, events)
      SELECT $1, json_build_array(json_build_object('id', gen_random_uuid(), 'type', 'crm.lead.stage_changed', 'schema_version', 'v1',
        'aggregate_id', '00000000-0000-7000-8000-' || lpad((n % 100)::text, 12, '0'), 'data', json_build_object()))
      FROM generate_series(0, 4999) AS n`,
      [fixture.workspace_id],
    );
    const { bus, published } = recordingBus();
    const fast = startRelay({ database: fixture.database, bus, log: silentLog });
    await waitUntil('all events are published', async () => (await waiting()) === 0, 20_000);
    await fast.flush(1_000);
    expect(published).toHaveLength(5_000);
    const ofLead = published.filter((id) => id.endsWith('42'));
    expect(ofLead).toHaveLength(50);
  });
});

test('stores the events of a transaction in order, in one row', async () => {
  const [ada, ben] = [randomUUID(), randomUUID()];
  const context = { workspace_id: fixture.workspace_id, caller: null, operation: 'test', request_id: 'r' };
  await announce(ben, 'before');
  await fixture.database.write(context, async (_, emit) => {
    for (const [lead_id, name] of [
      [ben, 'b2'],
      [ada, 'a1'],
      [ben, 'b3'],
      [ada, 'a2'],
    ])
      emit(LeadCreated, LeadCreated.fromPartial({ lead_id: lead_id!, name: name! }));
  });
  const { rows } = await fixture.pool.query(
    `SELECT data ->> 'name' AS name, position - min(position) OVER () AS place FROM journal_events WHERE aggregate_id = ANY ($1)
      AND data ->> 'name' <> 'before' ORDER BY position`,
    [[ada, ben]],
  );
  expect(rows.map(({ name, place }) => [name, Number(place)])).toEqual([
    ['b2', 0],
    ['a1', 1],
    ['b3', 2],
    ['a2', 3],
  ]);
});
