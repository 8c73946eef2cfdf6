import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LeadCreated, LeadStageChanged } from '@suite/proto/crm/v1/events';
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
import { prune, type Relay, startRelay } from './outbox.ts';

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
  const context = {
    workspace_id: fixture.workspace_id,
    caller: null,
    operation: 'test',
    request_id: 'r',
    trace_id: 't',
  };
  await fixture.database.write(context, async (_, emit) =>
    emit(LeadCreated, LeadCreated.fromPartial({ lead_id, name })),
  );
}

async function waiting(): Promise<number> {
  const { rows } = await fixture.pool.query('SELECT count(*)::int AS n FROM outbox WHERE published_at IS NULL');
  return rows[0].n;
}

/** Collects the lead envelopes that arrive from now on. */
function collect(bus: Bus): Envelope[] {
  const envelopes: Envelope[] = [];
  following.push(
    subscribe(bus, 'crm.lead.created', (payload) => void envelopes.push(Envelope.parse(JSON.parse(payload)))),
  );
  return envelopes;
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
      aggregate_version: 1,
      trace_id: 't',
      actor: null,
      data: { lead_id, name: 'Ada' },
    });
    await relay.flush(1_000);
  });

  test('keeps events in the outbox while NATS is down, then drains them in order', async () => {
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
    await waitUntil('the outbox is empty', async () => (await waiting()) === 0);
    await waitUntil('all arrive', () => seen.length === 51);
    expect(seen.slice(1).map(({ data }) => data['name'])).toEqual(
      Array.from({ length: 50 }, (_, index) => String(index)),
    );
    expect(seen.slice(1).map((envelope) => envelope.aggregate_version)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
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
      const versions = seen
        .filter((envelope) => envelope.aggregate_id === lead_id)
        .map((envelope) => envelope.aggregate_version);
      expect(versions).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    }
    await Promise.all(relays.map((each) => each.flush(1_000)));
  });

  test('publishes unmarked events again under the same ID', async () => {
    const bus = nats.bus();
    const seen = collect(bus);
    relay = startRelay({ database: fixture.database, bus, log: silentLog });
    await waitUntil('the earlier events are seen', () => seen.length === 251);
    await fixture.pool.query(
      'UPDATE outbox SET published_at = NULL WHERE position IN (SELECT max(position) FROM outbox)',
    );
    relay.wake();
    await waitUntil('the outbox is empty', async () => (await waiting()) === 0);
    await pause(300);
    expect(seen.length).toBe(251);
    await relay.flush(1_000);
  });

  test('marks only stored events and delays the other events of the same record', async () => {
    relay = undefined;
    const [stuck, free] = [randomUUID(), randomUUID()];
    const begun: string[] = [];
    const refusing = {
      connected: () => true,
      onConnect: () => undefined,
      async publish(_: string, payload: string) {
        const { aggregate_id, aggregate_version } = Envelope.parse(JSON.parse(payload));
        begun.push(`${aggregate_id} ${aggregate_version}`);
        await pause(20);
        if (aggregate_id === stuck) throw new Error('The stream is full.');
      },
    } as unknown as Bus;
    for (const lead_id of [stuck, free, stuck, free]) await announce(lead_id, 'x');
    const trying = startRelay({ database: fixture.database, bus: refusing, log: silentLog });
    await waitUntil('the free ones are marked', async () => (await waiting()) === 2);
    await trying.flush(0);
    expect(begun).not.toContain(`${stuck} 2`);
    expect(begun.filter((event) => event.startsWith(free))).toEqual([`${free} 1`, `${free} 2`]);
    const { rows } = await fixture.pool.query('SELECT DISTINCT aggregate_id FROM outbox WHERE published_at IS NULL');
    expect(rows).toEqual([{ aggregate_id: stuck }]);
  });

  test('publishes the remaining events when a service stops', async () => {
    const bus = nats.bus();
    const stopping = startRelay({ database: fixture.database, bus, log: silentLog });
    relay = undefined;
    await waitUntil('NATS is there', () => bus.connected());
    for (let index = 0; index < 3; index += 1) await announce(randomUUID(), 'late');
    await stopping.flush(2_000);
    expect(await waiting()).toBe(0);
  });

  test('drains at least 500 messages a second', async () => {
    const row = `INSERT INTO outbox (id, workspace_id, type, schema_version, aggregate_id, aggregate_version, data)
      SELECT gen_random_uuid(), $1, 'crm.lead.stage_changed', 'v1', ('00000000-0000-7000-8000-' || lpad((n % 100)::text, 12, '0'))::uuid, n / 100 + 1, '{}'
      FROM generate_series(0, 4999) AS n`;
    await fixture.pool.query(row, [fixture.workspace_id]);
    const bus = nats.bus();
    await waitUntil('NATS is there', () => bus.connected());
    const began = performance.now();
    const fast = startRelay({ database: fixture.database, bus, log: silentLog });
    await waitUntil('the outbox is empty', async () => (await waiting()) === 0, 20_000);
    const rate = 5_000 / ((performance.now() - began) / 1_000);
    await fast.flush(1_000);
    expect(rate).toBeGreaterThan(500);
    expect(LeadStageChanged.$type).toBe('suite.crm.v1.LeadStageChanged');
  });
});

test('prunes only old published events', async () => {
  await fixture.pool.query(`UPDATE outbox SET
    published_at = CASE aggregate_version WHEN 1 THEN now() - interval '167 hours' WHEN 2 THEN NULL ELSE now() - interval '8 days' END,
    occurred_at = now() - interval '30 days'`);
  await fixture.pool.query(
    `INSERT INTO inbox SELECT consumer, gen_random_uuid(), at
    FROM (VALUES ('old', now() - interval '15 days'), ('new', now() - interval '13 days')) AS i (consumer, at)`,
  );
  await fixture.pool.query(
    `INSERT INTO idempotency_keys SELECT $1, $1, 'o', key, 'h', 200, '{}', at
    FROM (VALUES ('old', now() - interval '25 hours'), ('new', now() - interval '23 hours')) AS k (key, at)`,
    [fixture.workspace_id],
  );
  await prune.work({ database: fixture.database });
  const { rows } = await fixture.pool.query(`SELECT
    (SELECT array_agg(DISTINCT aggregate_version ORDER BY aggregate_version) FROM outbox) AS outbox,
    (SELECT string_agg(consumer, ',') FROM inbox) AS inbox, (SELECT string_agg(key, ',') FROM idempotency_keys) AS keys`);
  expect(rows[0]).toEqual({ outbox: [1, 2], inbox: 'new', keys: 'new' });
});

test('stores the events of a transaction in order, with versions for each record', async () => {
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
    `SELECT data ->> 'name' AS name, aggregate_version FROM outbox WHERE aggregate_id = ANY ($1) ORDER BY position OFFSET 1`,
    [[ada, ben]],
  );
  const versions = { b2: 2, a1: 1, b3: 3, a2: 2 };
  expect(rows).toEqual(Object.entries(versions).map(([name, aggregate_version]) => ({ name, aggregate_version })));
});
