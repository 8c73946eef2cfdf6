import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ownNats, silent, type TestNats, until } from '../../test/ground.ts';
import { type Bus, connectBus, type Stoppable, type Take } from './bus.ts';
import type { Log } from '../runtime/log.ts';

let nats: TestNats;
let bus: Bus;
let running: Stoppable[] = [];

beforeAll(async () => {
  nats = await ownNats();
  await nats.start();
  bus = nats.bus();
  await until('NATS is there', () => bus.connected());
});

afterEach(async () => {
  await Promise.all(running.map((consumer) => consumer.stop()));
  running = [];
});

afterAll(() => nats.close());

const publish = (subject: string, payload: string, id: string = randomUUID()) => bus.publish(subject, payload, { id });
const consume = (name: string, subject: string, take: Take, from = bus) => {
  const consumer = from.consume(name, subject, take);
  running.push(consumer);
  return consumer;
};

test('a consumer that starts before the service it listens to hears its first message', async () => {
  const heard: string[] = [];
  consume('early.bird', 'one.thing.happened', async ({ payload }) => void heard.push(payload));
  await pause(100);
  await publish('one.thing.happened', 'first');
  await until('it is heard', () => heard.length === 1);
});

test('a consumer makes the stream that it needs', async () => {
  const complaints: unknown[] = [];
  const log = {
    info: () => undefined,
    warn: (complaint: unknown) => void complaints.push(complaint),
  } as unknown as Log;
  const quiet = connectBus({ url: nats.url, name: 'quiet', log });
  await until('NATS is there', () => quiet.connected());
  const consumer = quiet.consume('eight.reader', 'eight.thing.happened', async () => undefined);
  await pause(700);
  expect(complaints).toEqual([]);
  await consumer.stop();
  await quiet.drain();
});

test('a message that is published twice under one id is kept once', async () => {
  const heard: string[] = [];
  const id = randomUUID();
  await publish('two.thing.happened', 'once', id);
  await publish('two.thing.happened', 'once', id);
  await publish('two.thing.happened', 'end');
  consume('two.reader', 'two.thing.happened', async ({ payload }) => void heard.push(payload));
  await until('all is heard', () => heard.includes('end'));
  expect(heard).toEqual(['once', 'end']);
});

test('a message is delivered until it is done, and those behind it wait, over all replicas', async () => {
  const heard: string[] = [];
  let [at_once, most] = [0, 0];
  const take: Take = async ({ payload, attempt }) => {
    at_once += 1;
    most = Math.max(most, at_once);
    heard.push(`${payload}${attempt}`);
    await pause(5);
    at_once -= 1;
    return payload === 'b' && attempt < 3 ? { retry_ms: 50 } : undefined;
  };
  consume('three.reader', 'three.thing.happened', take);
  consume('three.reader', 'three.thing.happened', take, nats.bus('replica'));
  for (const payload of ['a', 'b', 'c', 'd']) await publish('three.thing.happened', payload);
  await until('all is heard', () => heard.includes('d1'));
  expect(heard).toEqual(['a1', 'b1', 'b2', 'b3', 'c1', 'd1']);
  expect(most).toBe(1);
});

test('stopping waits for the message in hand and leaves the next one to others', async () => {
  const heard: string[] = [];
  let begun = false;
  const consumer = consume('four.reader', 'four.thing.happened', async ({ payload }) => {
    begun = true;
    await pause(300);
    heard.push(payload);
    return undefined;
  });
  await publish('four.thing.happened', 'a');
  await publish('four.thing.happened', 'b');
  await until('the first is in hand', () => begun);
  await consumer.stop();
  expect(heard).toEqual(['a']);
  consume('four.reader', 'four.thing.happened', async ({ payload }) => void heard.push(payload));
  await until('the other is heard', () => heard.length === 2);
});

test('a message in hand when NATS goes away is done in peace, and others go on when it is back', async () => {
  const heard: string[] = [];
  consume('five.reader', 'five.thing.happened', async ({ payload }) => {
    if (heard.length === 0) await nats.stop();
    heard.push(payload);
    return undefined;
  });
  await publish('five.thing.happened', 'a');
  await until('it is heard', () => heard.length === 1);
  expect(bus.connected()).toBe(false);
  await expect(publish('five.thing.happened', 'b')).rejects.toMatchObject({ code: 'bus_unavailable' });
  await nats.start();
  await until('NATS is there', () => bus.connected());
  consume('five.other', 'five.thing.happened', async ({ payload }) => void heard.push(payload));
  await publish('five.thing.happened', 'b');
  await until('both are heard', () => heard.length === 3);
  expect(heard).toEqual(['a', 'a', 'b']);
});

test('a listener hears what passes while it is connected, also after an interruption', async () => {
  const heard: string[] = [];
  let connections = 0;
  bus.onConnect(() => {
    connections += 1;
  });
  bus.listen('six.>', (payload, subject) => void heard.push(`${subject} ${payload}`));
  await publish('six.thing.happened', 'a');
  await until('it is heard', () => heard.length === 1);
  await nats.stop();
  await until('NATS is gone', () => !bus.connected());
  await nats.start();
  await until('NATS is there', () => bus.connected());
  await publish('six.thing.happened', 'b');
  await until('it is heard', () => heard.length === 2);
  expect(heard).toEqual(['six.thing.happened a', 'six.thing.happened b']);
  expect(connections).toBe(1);
});

test('a bus that never finds NATS can be closed at once', async () => {
  const lonely = await ownNats();
  const waiting = lonely.bus();
  consume('seven.reader', 'seven.thing.happened', async () => undefined, waiting);
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
    // Greets as NATS does, and answers only the first question whether all has arrived.
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
    const lost = connectBus({ url, name: 'lost', log: silent });
    await until('it is connected', () => lost.connected());
    await lost.drain();
    expect({ questions, connected: lost.connected() }).toEqual({ questions: 2, connected: false });
    await new Promise((resolve) => server.close(resolve));
  },
);
