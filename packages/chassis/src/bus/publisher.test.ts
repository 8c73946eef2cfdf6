import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect, type NatsConnection } from 'nats';
import { ownNats, type TestNats } from '../../test/fixture.ts';
import { Publisher } from './publisher.ts';

let server: TestNats;
let nats: NatsConnection;
let publisher: Publisher;

beforeAll(async () => {
  server = await ownNats();
  await server.start();
  nats = await connect({ servers: server.url });
  const { streams } = await nats.jetstreamManager();
  await streams.add({ name: 'SMALL', subjects: ['small.>'], max_msg_size: 100 });
  publisher = new Publisher(nats, '_INBOX_test');
});
afterAll(() => server.close());

const publish = (subject: string, payload = '{}', id: string = randomUUID()) =>
  publisher.publish(subject, payload, { id, epoch: 1 });
const stored = async () => (await (await nats.jetstreamManager()).streams.info('SMALL')).state.messages;

test('acknowledges each of many concurrent messages, and stores an ID once', async () => {
  const id = randomUUID();
  await Promise.all([...Array.from({ length: 50 }, () => publish('small.thing')), publish('small.thing', '1', id)]);
  await publish('small.thing', '1', id);
  expect(await stored()).toBe(51);
});

test('rejects a message that no stream accepts or that its stream rejects', async () => {
  await expect(publish('nobody.listens')).rejects.toThrow('No stream stored the message');
  await expect(publish('small.thing', 'x'.repeat(500))).rejects.toThrow('The stream rejected the message');
});

test('rejects an unacknowledged message when the connection ends', async () => {
  nats.subscribe('silent.>', { callback: () => undefined });
  const told = publish('silent.thing').catch((error: Error) => error.message);
  await nats.flush();
  await nats.close();
  expect(await told).toBe('No stream acknowledged the message.');
  await expect(publish('small.thing')).rejects.toThrow();
});
