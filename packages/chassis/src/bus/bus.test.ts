import { randomUUID } from 'node:crypto';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AckPolicy, connect } from 'nats';
import { subscribe, ownNats, silentLog, type TestNats, waitUntil } from '../../test/fixture.ts';
import { BATCH, type Bus, connectBus, type Stoppable } from './bus.ts';

let nats: TestNats;
let bus: Bus;
const running: Stoppable[] = [];

beforeAll(async () => {
  nats = await ownNats();
  await nats.start();
  bus = nats.bus();
  await waitUntil('NATS is there', () => bus.connected());
});

afterAll(async () => {
  await Promise.all(running.map((following) => following.stop()));
  await nats.close();
});

const publish = (subject: string, payload: string, id: string = randomUUID()) => bus.publish(subject, payload, { id });

/** Collects the messages of a subject's stream, including future messages. */
function heardOf(subject: string): string[] {
  const heard: string[] = [];
  running.push(subscribe(bus, subject, (payload) => void heard.push(payload)));
  return heard;
}

test('reads a missing stream as empty, and creates it at the first publish', async () => {
  expect(await bus.stream('one.thing.happened')).toBeUndefined();
  expect(await bus.read('one.thing.happened', 0)).toEqual([]);
  const heard = heardOf('one.thing.happened');
  await publish('one.thing.happened', 'first');
  await waitUntil('it is heard', () => heard.length === 1);
  expect(await bus.stream('one.thing.happened')).toEqual({ created: expect.any(String), last: 1, epoch: 1 });
});

test('stores a message once if it is published twice under one ID', async () => {
  const id = randomUUID();
  await publish('two.thing.happened', 'once', id);
  await publish('two.thing.happened', 'once', id);
  await publish('two.thing.happened', 'end');
  const heard = heardOf('two.thing.happened');
  await waitUntil('all is heard', () => heard.includes('end'));
  expect(heard).toEqual(['once', 'end']);
});

test('reads the messages of one subject in order, from any position', async () => {
  for (const payload of ['a', 'b']) await publish('three.thing.happened', payload);
  await publish('three.other.happened', 'x');
  await publish('three.thing.happened', 'c');
  const [a, b, c] = [
    { position: 1, payload: 'a', epoch: 1 },
    { position: 2, payload: 'b', epoch: 1 },
    { position: 4, payload: 'c', epoch: 1 },
  ];
  expect(await bus.read('three.thing.happened', 0)).toEqual([a, b, c]);
  expect(await bus.read('three.thing.happened', 1)).toEqual([b, c]);
  expect(await bus.read('three.thing.happened', 2)).toEqual([c]);
  expect(await bus.read('three.thing.happened', 4)).toEqual([]);
});

test('reads many messages in parts', async () => {
  const payloads = Array.from({ length: BATCH + 20 }, (_, at) => String(at));
  for (const payload of payloads) await publish('six.many.happened', payload);
  const [first, second] = [await bus.read('six.many.happened', 0), await bus.read('six.many.happened', BATCH)];
  expect([first.length, second.length]).toEqual([BATCH, 20]);
  expect([...first, ...second].map(({ payload }) => payload)).toEqual(payloads);
});

/** Returns a bus whose connection breaks while it receives this message. */
async function breakingAt(payload: string): Promise<Bus> {
  const { port } = new URL(nats.url);
  const server = createServer((near) => {
    const far = createConnection({ host: '127.0.0.1', port: Number(port) });
    near.on('data', (chunk) => far.write(chunk));
    far.on('data', (chunk) => {
      const at = chunk.indexOf(payload);
      near.write(at === -1 ? chunk : chunk.subarray(0, at));
      if (at !== -1) near.destroySoon();
    });
    near.on('error', () => undefined).on('close', () => far.destroy());
    far.on('error', () => undefined).on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  const breaking = connectBus({ url: `nats://127.0.0.1:${own}`, name: 'breaking', log: silentLog });
  running.push({
    async stop() {
      await breaking.drain();
      server.close();
    },
  });
  await waitUntil('it is connected', () => breaking.connected());
  return breaking;
}

test('does not treat the messages before a lost connection as complete', async () => {
  for (let at = 0; at < 40; at += 1) await publish('seven.many.happened', `payload ${at}.`);
  const breaking = await breakingAt('payload 20.');
  await expect(breaking.read('seven.many.happened', 0)).rejects.toMatchObject({ code: 'bus_unavailable' });
  expect(await bus.read('seven.many.happened', 0)).toHaveLength(40);
});

test('returns the position of an earlier release and lets its unused consumer expire', async () => {
  for (const payload of ['a', 'b', 'c']) await publish('four.thing.happened', payload);
  const connection = await connect({ servers: nats.url });
  const { consumers } = await connection.jetstreamManager();
  const settings = { filter_subject: 'four.thing.happened', ack_policy: AckPolicy.Explicit, max_ack_pending: 1 };
  await consumers.add('FOUR', { durable_name: 'four_reader', ...settings });
  const consumer = await connection.jetstream().consumers.get('FOUR', 'four_reader');
  for (let times = 0; times < 2; times += 1) await (await consumer.next())?.ackAck();
  await consumer.next(); // Being processed when the release changes, so it is not acknowledged.
  expect(await bus.earlierPosition('four.reader', 'four.thing.happened')).toBe(2);
  expect(await bus.earlierPosition('four.other', 'four.thing.happened')).toBe(0);
  const { config } = await consumers.info('FOUR', 'four_reader');
  expect(config).toMatchObject({ inactive_threshold: 7 * 86_400 * 1e9, max_ack_pending: 1 });
  await connection.close();
});

test('rejects publishing and reading while NATS is down, and resumes afterwards', async () => {
  await publish('five.thing.happened', 'a');
  const heard = heardOf('five.thing.happened');
  await waitUntil('it is heard', () => heard.length === 1);
  await nats.stop();
  await waitUntil('NATS is disconnected', () => !bus.connected());
  await expect(publish('five.thing.happened', 'b')).rejects.toMatchObject({ code: 'bus_unavailable' });
  await expect(bus.read('five.thing.happened', 0)).rejects.toMatchObject({ code: 'bus_unavailable' });
  await nats.start();
  await waitUntil('NATS is there', () => bus.connected());
  await publish('five.thing.happened', 'b');
  await waitUntil('both are heard', () => heard.length === 2);
  expect(heard).toEqual(['a', 'b']);
});

test('receives messages while it is connected, even after an interruption', async () => {
  const heard: string[] = [];
  let connections = 0;
  bus.onConnect(() => {
    connections += 1;
  });
  bus.listen('six.>', (payload, subject) => void heard.push(`${subject} ${payload}`));
  await publish('six.thing.happened', 'a');
  await waitUntil('it is heard', () => heard.length === 1);
  await nats.stop();
  await waitUntil('NATS is disconnected', () => !bus.connected());
  await nats.start();
  await waitUntil('NATS is there', () => bus.connected());
  await publish('six.thing.happened', 'b');
  await waitUntil('it is heard', () => heard.length === 2);
  expect(heard).toEqual(['six.thing.happened a', 'six.thing.happened b']);
  expect(connections).toBe(1);
});

test('closes a bus immediately if it never found NATS', async () => {
  const lonely = await ownNats();
  const waiting = lonely.bus();
  await pause(50);
  expect(waiting.connected()).toBe(false);
  const began = performance.now();
  await waiting.drain();
  expect(performance.now() - began).toBeLessThan(1_000);
});

test.each(['hangs up', 'falls silent'])(
  'a bus whose server %s while it is drained is closed all the same',
  async (how) => {
    let questions = 0;
    // Greets like NATS, and answers only the first request for an acknowledgment.
    const server = createServer((socket) => {
      socket.write('INFO {"server_id":"S","version":"2.12.6","proto":1,"headers":true,"max_payload":1048576}\r\n');
      socket.on('data', (said) => {
        if (!said.includes('PING')) return;
        questions += 1;
        if (questions === 1) socket.write('PONG\r\n');
        else if (how === 'hangs up') socket.destroy();
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const url = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const lost = connectBus({ url, name: 'lost', log: silentLog });
    await waitUntil('it is connected', () => lost.connected());
    await lost.drain();
    expect({ questions, connected: lost.connected() }).toEqual({ questions: 2, connected: false });
    await new Promise((resolve) => server.close(resolve));
  },
);
