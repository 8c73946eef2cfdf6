import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { openFixture, silentLog, waitUntil } from '../../test/fixture.ts';
import type { Bus, StreamMessage, StreamState } from '../bus/bus.ts';
import { startIntake } from './intake.ts';

const source = { name: 'a.reader', subject: 'crm.lead.lost' };

/** Creates a bus whose stream a test sets. The bus records the start position of each read. */
function busWith(state: StreamState, messages: StreamMessage[]) {
  const listeners: (() => void)[] = [];
  const hearers: ((payload: string) => void)[] = [];
  const begins: number[] = [];
  const looks: number[] = [];
  const bus: Pick<Bus, 'connected' | 'onConnect' | 'listen' | 'stream' | 'read' | 'assertEpoch' | 'earlierPosition'> = {
    connected: () => true,
    onConnect: (listener) => void listeners.push(listener),
    listen: (_, hear) => void hearers.push((payload) => hear(payload, source.subject)),
    async stream() {
      looks.push(state.last);
      return { ...state };
    },
    async read(_subject, after) {
      begins.push(after);
      return messages.filter(({ position }) => position > after);
    },
    assertEpoch: async () => undefined,
    earlierPosition: async () => 0,
  };
  const reconnect = () => {
    for (const listener of listeners) listener();
  };
  const tell = (payload: string) => {
    for (const hear of hearers) hear(payload);
  };
  return { bus: bus as Bus, begins, looks, reconnect, tell };
}

test('starts again at the stored position if a reader is reset while it stores', async () => {
  const fixture = await openFixture();
  const event = {
    id: randomUUID(),
    type: source.subject,
    schema_version: 'v1',
    workspace_id: fixture.workspace_id,
    aggregate_id: randomUUID(),
    position: 1,
    occurred_at: '2026-01-01T00:00:00.000Z',
    actor: null,
    trace_id: 'trace',
    data: {},
  };
  const state = { created: 'first', epoch: 1, last: 10 };
  const { bus, begins, reconnect } = busWith(state, [{ position: 3, payload: JSON.stringify(event), epoch: 1 }]);
  const lock = await fixture.pool.connect();
  await lock.query("INSERT INTO event_positions (consumer, stream_created, position) VALUES ($1, 'first', 0)", [
    source.name,
  ]);
  await lock.query('BEGIN; SELECT FROM event_positions FOR UPDATE');
  const intake = startIntake([source], { bus, database: fixture.database, log: silentLog, wake: () => undefined });
  await waitUntil('it waits to store', async () => {
    const { rows } = await fixture.pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  });
  reconnect();
  state.last = 11;
  await lock.query('COMMIT');
  lock.release();
  await waitUntil('it has read again', () => begins.length > 1);
  await intake.stop();
  expect(begins.slice(0, 2)).toEqual([0, 3]);
  await fixture.close();
});

test('stores no events of a bus whose database is restored in the meantime', async () => {
  const fixture = await openFixture();
  const event = { id: randomUUID(), workspace_id: fixture.workspace_id, aggregate_id: randomUUID(), data: {} };
  const messages: StreamMessage[] = [{ position: 1, payload: JSON.stringify(event), epoch: 1 }];
  const { bus, begins } = busWith({ created: 'first', epoch: 1, last: 1 }, messages);
  const epochs: number[] = [];
  bus.assertEpoch = async (_subject, _stream, own) => {
    epochs.push(own);
    if (own !== 1) throw new Error('The bus has another epoch.');
  };
  const read = bus.read;
  bus.read = async (...request) => {
    await fixture.pool.query('UPDATE journal_relay SET epoch = 2');
    return await read(...request);
  };
  const intake = startIntake([source], { bus, database: fixture.database, log: silentLog, wake: () => undefined });
  await waitUntil('it knows the new epoch', () => epochs.includes(2));
  await intake.stop();
  expect(begins).toEqual([0]);
  expect((await fixture.pool.query('SELECT FROM received_events')).rowCount).toBe(0);
  await fixture.close();
});

test('stores no skipped events, and their position only now and then', async () => {
  const fixture = await openFixture();
  const event = { id: randomUUID(), workspace_id: fixture.workspace_id, aggregate_id: randomUUID(), data: {} };
  const message = (position: number, wanted: boolean) => ({
    position,
    payload: JSON.stringify({ ...event, wanted }),
    epoch: 1,
  });
  const state = { created: 'first', epoch: 1, last: 3 };
  const messages = [message(3, false)];
  const { bus, begins, reconnect } = busWith(state, messages);
  const takes = (read: object) => (read as { wanted: boolean }).wanted;
  const choosy = { ...source, name: 'a.choosy', takes };
  const intake = startIntake([choosy], { bus, database: fixture.database, log: silentLog, wake: () => undefined });
  const place = async () => {
    const { rows } = await fixture.pool.query('SELECT position::int FROM event_positions WHERE consumer = $1', [
      choosy.name,
    ]);
    return rows[0]?.position;
  };
  const read = async (after: number) => {
    reconnect();
    await waitUntil(`it has read after ${after}`, () => begins.at(-1) === after);
  };
  await waitUntil('it has read', () => begins.length > 0);
  expect(await place()).toBe(0);
  messages.push(message(1_500, false));
  state.last = 1_500;
  await read(0);
  await waitUntil('the position is stored', async () => (await place()) === 1_500);
  messages.push(message(1_501, true), message(1_502, false));
  state.last = 1_502;
  await read(1_500);
  await waitUntil('the one is stored', async () => (await place()) === 1_502);
  await intake.stop();
  const { rows } = await fixture.pool.query(
    "SELECT envelope -> 'wanted' AS wanted FROM received_events WHERE consumer = $1",
    [choosy.name],
  );
  expect(rows).toEqual([{ wanted: true }]);
  await fixture.close();
});

test('wakes a reader for events that it stores, not for those it skips', async () => {
  const fixture = await openFixture();
  const event = { id: randomUUID(), workspace_id: fixture.workspace_id, aggregate_id: randomUUID(), data: {} };
  const state = { created: 'first', epoch: 1, last: 0 };
  const messages: StreamMessage[] = [];
  const { bus, begins, looks, tell } = busWith(state, messages);
  const takes = (read: object) => (read as { wanted: boolean }).wanted;
  const choosy = { ...source, name: 'a.sleeper', takes };
  const intake = startIntake([choosy], { bus, database: fixture.database, log: silentLog, wake: () => undefined });
  await waitUntil('it has looked', () => looks.length > 0);
  // A reader that is woken looks every 60 ms. A reader that is not woken looks half as often each time.
  const payload = (wanted: boolean) => JSON.stringify({ ...event, wanted });
  for (let times = 0; times < 50; times += 1) {
    tell(payload(false));
    await pause(40);
  }
  expect(looks.length).toBeLessThan(15);
  messages.push({ position: 2, payload: payload(true), epoch: 1 });
  state.last = 2;
  tell(payload(true));
  await waitUntil('it has read', () => begins.length > 0);
  await intake.stop();
  await fixture.close();
});

test('warns about read failures only if they repeat', async () => {
  const fixture = await openFixture();
  const { bus, reconnect } = busWith({ created: 'first', epoch: 1, last: 5 }, []);
  const levels: string[] = [];
  const log = {
    ...silentLog,
    info: () => void levels.push('info'),
    warn: () => void levels.push('warn'),
  } as typeof silentLog;
  bus.read = () => Promise.reject(new Error('timeout exceeded when trying to connect'));
  const named = { ...source, name: 'a.failing' };
  const intake = startIntake([named], { bus, database: fixture.database, log, wake: () => undefined });
  for (const count of [1, 2, 3]) {
    await waitUntil(`failure ${count} is logged`, () => levels.length >= count);
    reconnect();
  }
  await intake.stop();
  expect(levels.slice(0, 3)).toEqual(['info', 'info', 'warn']);
  await fixture.close();
});
