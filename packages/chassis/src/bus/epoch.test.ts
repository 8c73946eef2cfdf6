import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connect, type JetStreamManager } from 'nats';
import pino from 'pino';
import { ownNats, silentLog, type TestNats, waitUntil } from '../../test/fixture.ts';
import type { Log } from '../runtime/log.ts';
import { BATCH, type Bus, connectBus } from './bus.ts';
import { AnotherEpoch } from './epoch.ts';

let nats: TestNats;
let manager: JetStreamManager;
let close: (() => Promise<void>)[];

beforeEach(async () => {
  nats = await ownNats();
  await nats.start();
  const connection = await connect({ servers: nats.url });
  manager = await connection.jetstreamManager();
  close = [() => connection.close()];
});
afterEach(async () => {
  for (const end of close) await end();
  await nats.close();
});

/** Connects a service whose database has this epoch. */
function busOf(name: string, own: () => Promise<number>, reads: string[] = [], log: Log = silentLog): Bus {
  const bus = connectBus({ url: nats.url, name, log, epochs: { own, services: [name, ...reads] } });
  close.unshift(() => bus.drain());
  return bus;
}

async function connected(name: string, epoch: number, reads: string[] = []): Promise<Bus> {
  const bus = busOf(name, async () => epoch, reads);
  await waitUntil('it is connected', () => bus.connected());
  return bus;
}

/** Returns what the bus reports to an operator, once it has refused. */
async function refusalOf(bus: Bus): Promise<string> {
  await waitUntil('it refuses', () => bus.refusal() !== undefined && !bus.connected());
  return bus.refusal()!;
}

const publish = (bus: Bus, epoch: number, payload = 'a') =>
  bus.publish('crm.lead.lost', payload, { id: randomUUID(), epoch });
const descriptionOf = async () => (await manager.streams.info('CRM')).config.description;

describe('an empty bus', () => {
  test('takes the epoch of the database that publishes first', async () => {
    const crm = await connected('crm', 7);
    await publish(crm, 7);
    expect(await descriptionOf()).toBe('Epoch 7');
    expect(await crm.stream('crm.lead.lost')).toMatchObject({ last: 1, epoch: 7 });
  });

  test('passes the epoch of each event, in short and in long reads', async () => {
    const crm = await connected('crm', 7);
    for (let count = 0; count < 10; count += 1) await publish(crm, 7);
    const messages = await crm.read('crm.lead.lost', 0);
    expect(messages.map(({ epoch }) => epoch)).toEqual(Array.from({ length: 10 }, () => 7));
    expect(messages.length).toBeLessThan(BATCH);
  });
});

describe('a stream without an epoch', () => {
  test('belongs to the first epoch if it has events of an earlier release', async () => {
    await manager.streams.add({ name: 'CRM', subjects: ['crm.>'], description: 'Events of crm' });
    const connection = await connect({ servers: nats.url });
    await connection.jetstream().publish('crm.lead.lost', 'earlier');
    await connection.close();
    const crm = await connected('crm', 1);
    await publish(crm, 1);
    expect((await crm.read('crm.lead.lost', 0)).map(({ epoch }) => epoch)).toEqual([1, 1]);
    expect(await descriptionOf()).toBe('Events of crm');
    expect(await refusalOf(busOf('crm', async () => 2))).toMatch('The bus is older');
  });

  test('gets the epoch of its first event if an operator has created it', async () => {
    await manager.streams.add({ name: 'CRM', subjects: ['crm.>'], max_msgs: 1_000 });
    await publish(await connected('crm', 7, ['crm']), 7);
    expect((await manager.streams.info('CRM')).config).toMatchObject({ description: 'Epoch 7', max_msgs: 1_000 });
    expect(await refusalOf(busOf('crm', async () => 1))).toMatch('This database is older');
  });
});

describe('a process whose database has another epoch than a stream', () => {
  test.each([
    [
      'older',
      8,
      'The bus is older than this restored database (stream CRM has epoch 7, not 8): stop NATS, delete its data',
    ],
    ['newer', 6, 'This database is older than the bus (epoch 6, but stream CRM has 7): set DATABASE_URL to'],
  ])('rejects a bus with an %s stream', async (_, epoch, sentence) => {
    await publish(await connected('crm', 7), 7);
    for (const bus of [busOf('crm', async () => epoch), busOf('finance', async () => epoch, ['crm'])]) {
      expect(await refusalOf(bus)).toMatch(sentence);
      await expect(publish(bus, epoch)).rejects.toMatchObject({ code: 'bus_unavailable' });
      await expect(bus.read('crm.lead.lost', 0)).rejects.toMatchObject({ code: 'bus_unavailable' });
    }
    await connected('support', epoch, ['hr']); // reads other streams
  });

  test('logs once what to do, and connects as soon as the bus is empty', async () => {
    await publish(await connected('crm', 7), 7);
    const lines: string[] = [];
    const log = pino(new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) }));
    let comparisons = 0;
    const crm = busOf('crm', async () => ((comparisons += 1), 8), [], log);
    await waitUntil('it has compared the epochs several times', () => comparisons >= 3);
    const logged = () => lines.map((line) => JSON.parse(line)).map(({ level, msg }) => [level, msg]);
    expect(logged()).toEqual([[50, crm.refusal()]]);
    await nats.erase();
    await waitUntil('it is connected', () => crm.connected());
    expect(crm.refusal()).toBeUndefined();
    await publish(crm, 8);
    expect(await crm.stream('crm.lead.lost')).toMatchObject({ last: 1, epoch: 8 });
  });

  test('leaves the bus when it finds the stream later', async () => {
    const [publisher, reader] = [await connected('crm', 8), await connected('finance', 8, ['crm'])];
    await publish(await connected('crm', 7), 7);
    const state = await reader.stream('crm.lead.lost');
    await expect(reader.assertEpoch('crm.lead.lost', state!, 8)).rejects.toThrow(AnotherEpoch);
    await expect(publish(publisher, 8)).rejects.toThrow(AnotherEpoch);
    for (const bus of [publisher, reader]) expect(await refusalOf(bus)).toMatch('The bus is older');
    expect(await manager.streams.info('CRM')).toMatchObject({ state: { messages: 1 } });
  });

  test('rejects the bus after an interruption', async () => {
    const crm = await connected('crm', 7);
    await publish(crm, 7);
    await nats.erase();
    const later = busOf('crm', async () => 9);
    await waitUntil('it is connected', () => later.connected());
    await publish(later, 9).catch(() => undefined);
    await waitUntil('it refuses', () => crm.refusal() !== undefined, 20_000);
    expect(crm.refusal()).toMatch('This database is older than the bus (epoch 7, but stream CRM has 9)');
  });
});

test('connects as soon as the epoch of the database is known', async () => {
  let attempts = 0;
  const bus = busOf('crm', async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('The database is starting.');
    return 7;
  });
  await waitUntil('it is connected', () => bus.connected());
  expect(attempts).toBe(2);
});
