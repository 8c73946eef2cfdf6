import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { NATS_CREDENTIALS, natsUsers, startNats } from '@suite/local/servers';
import { AckPolicy, connect, usernamePasswordAuthenticator } from 'nats';
import { temporaryDirectory, silentLog, waitUntil } from '../../test/fixture.ts';
import { type Bus, connectBus } from './bus.ts';

const directory = temporaryDirectory();
const parts = [{ name: 'platform' }, { name: 'crm', subscribesTo: ['platform'] }, { name: 'finance' }, { name: 'hr' }];
const keys = join(directory, 'keys');
const users = natsUsers(keys, parts);
const nats = await startNats({ directory: join(directory, 'nats'), port: 0, users });
const buses: Bus[] = [];
afterAll(async () => {
  await Promise.all(buses.map((bus) => bus.drain()));
  await nats.stop();
  rmSync(directory, { recursive: true });
});

async function busOf(name: string): Promise<Bus> {
  const bus = connectBus({ url: nats.url, name, log: silentLog, credentials: join(keys, name, NATS_CREDENTIALS) });
  buses.push(bus);
  await waitUntil('NATS is there', () => bus.connected());
  return bus;
}
const publish = (bus: Bus, subject: string) => bus.publish(subject, '{}', { id: randomUUID() });

/** Opens a NATS connection without the restrictions of the bus. */
function connectAs(name: string) {
  const [, password = ''] = new RegExp(`"user":"${name}","password":"([^"]+)"`).exec(users)!;
  const authenticator = usernamePasswordAuthenticator(name, password);
  return connect({ servers: nats.url, authenticator, inboxPrefix: `_INBOX_${name}` });
}

test('lets a service publish its own events and read the events that it consumes', async () => {
  const [platform, crm] = [await busOf('platform'), await busOf('crm')];
  const heard: string[] = [];
  crm.listen('platform.user.created', (_, subject) => void heard.push(subject));
  for (let times = 0; times < 3; times += 1) await publish(platform, 'platform.user.created');
  await publish(crm, 'crm.lead.created');
  expect(await crm.stream('platform.user.created')).toMatchObject({ last: 3 });
  expect(await crm.read('platform.user.created', 0)).toHaveLength(3);
  await waitUntil('it is heard', () => heard.length === 3);
});

test('lets a service set the epoch of a stream that an operator has created', async () => {
  const connection = await connectAs('hr');
  const { streams } = await connection.jetstreamManager({ checkAPI: false });
  await streams.add({ name: 'HR', subjects: ['hr.>'] });
  await (await busOf('hr')).publish('hr.employee.hired', '{}', { id: randomUUID(), epoch: 7 });
  expect((await streams.info('HR')).config.description).toBe('Epoch 7');
  await connection.close();
});

test('reads the position of an earlier release with the same permissions', async () => {
  const [platform, crm] = [await busOf('platform'), await busOf('crm')];
  await publish(platform, 'platform.role.created');
  expect(await crm.earlierPosition('crm.reader', 'platform.role.created')).toBe(0);
  const connection = await connectAs('crm');
  const { consumers } = await connection.jetstreamManager({ checkAPI: false });
  const settings = { filter_subject: 'platform.role.created', ack_policy: AckPolicy.Explicit };
  await consumers.add('PLATFORM', { durable_name: 'crm_reader', ...settings });
  await crm.earlierPosition('crm.reader', 'platform.role.created');
  expect((await consumers.info('PLATFORM', 'crm_reader')).config.inactive_threshold).toBeGreaterThan(0);
  await connection.close();
});

test('crm cannot publish events of finance, nor read events without a subscription', async () => {
  const [crm, finance] = [await busOf('crm'), await busOf('finance')];
  await publish(finance, 'finance.sales_invoice.posted');
  const heard: string[] = [];
  crm.listen('finance.>', (payload) => void heard.push(payload));
  await expect(publish(crm, 'finance.sales_invoice.posted')).rejects.toThrow();
  await expect(crm.read('finance.sales_invoice.posted', 0)).rejects.toThrow();
  await publish(finance, 'finance.sales_invoice.posted');
  const connection = await connectAs('crm');
  connection.publish('finance.sales_invoice.posted', '{}');
  await connection.flush();
  await connection.close();
  expect(heard).toEqual([]);
  expect(await finance.stream('finance.sales_invoice.posted')).toMatchObject({ last: 2 });
});

test('rejects a connection without a name or with a wrong password', async () => {
  await expect(connect({ servers: nats.url })).rejects.toThrow(/Authorization/i);
  const authenticator = usernamePasswordAuthenticator('crm', 'wrong');
  await expect(connect({ servers: nats.url, authenticator })).rejects.toThrow(/Authorization/i);
});

test('creates the passwords once, readable for the owner only', () => {
  expect(natsUsers(keys, parts)).toBe(users);
  for (const file of [join(keys, 'crm', NATS_CREDENTIALS), join(directory, 'nats/nats.conf')])
    expect(statSync(file).mode & 0o777).toBe(0o600);
});
