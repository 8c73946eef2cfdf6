import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@suite/local/ports';
import { type NatsServer, startNats } from '@suite/local/servers';
import { connect } from 'nats';
import { silentLog, temporaryDirectory, waitUntil } from '../../test/fixture.ts';
import { type Bus, connectBus } from './bus.ts';

const directory = temporaryDirectory();
let ports: number[];
let servers: NatsServer[];
let url: string;

beforeAll(async () => {
  ports = [];
  for (let count = 0; count < 6; count += 1) ports.push(await freePort());
  const routes = ports.slice(3).map((port) => `nats://127.0.0.1:${port}`);
  const cluster = (listen: string) => `cluster { name: suite, listen: "${listen}", routes: ${JSON.stringify(routes)} }`;
  servers = await Promise.all(
    routes.map((route, index) =>
      startNats({ directory: join(directory, String(index)), port: ports[index]!, users: cluster(route.slice(7)) }),
    ),
  );
  url = servers.map((server) => server.url).join(',');
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(directory, { recursive: true, force: true });
});

/** Returns the number of servers that keep the events of a service. */
async function replicasOf(stream: string): Promise<number> {
  const nats = await connect({ servers: url.split(',') });
  const { config } = await (await nats.jetstreamManager()).streams.info(stream);
  await nats.close();
  return config.num_replicas;
}

/** Publishes an event as soon as the bus accepts it. */
async function publishOn(bus: Bus): Promise<void> {
  const accepted = () =>
    bus.publish('shop.item.sold', '{}', { id: randomUUID() }).then(
      () => true,
      () => false,
    );
  await waitUntil('an event is published', accepted, 60_000);
}

test('keeps events on several servers, and publishes without one of them', async () => {
  const alone = connectBus({ url, name: 'cluster', log: silentLog });
  await publishOn(alone);
  expect(await replicasOf('SHOP')).toBe(1);
  await alone.drain();
  const replicated = connectBus({ url, name: 'cluster', log: silentLog, replicas: 3 });
  await publishOn(replicated);
  expect(await replicasOf('SHOP')).toBe(3);
  await servers[0]!.stop();
  await publishOn(replicated);
  await replicated.drain();
});
