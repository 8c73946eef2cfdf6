import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sqltag as sql } from '@prisma/client/runtime/client';
import { afterAll, expect, test } from '@jest/globals';
import { busyFault, insertNote, openNotes } from '../../test/notes.ts';
import { deadline } from '../runtime/config.ts';
import { openDatabase, type RowReader } from './database.ts';

const { at, notes, url } = await openNotes();

/** Connections to PostgreSQL through a proxy. */
const connections: Socket[] = [];
const proxy = createServer((client) => {
  const server = connect(Number(new URL(url).port), '127.0.0.1');
  client.pipe(server).pipe(client);
  for (const socket of [client, server]) socket.on('error', () => socket.destroy());
  client.on('close', () => server.destroy());
  connections.push(client, server);
}).listen(0, '127.0.0.1');
await once(proxy, 'listening');
const port = String((proxy.address() as AddressInfo).port);

const database = openDatabase({
  settings: { DATABASE_URL: Object.assign(new URL(url), { port }).href },
  max: 2,
  wait_ms: deadline(30_000),
  response_ms: deadline(1_000),
  makeClient: () => ({}),
  onCommit: () => undefined,
});
afterAll(async () => {
  await database.close();
  for (const socket of connections) socket.destroy();
  proxy.close();
});

/** Makes every existing connection pass nothing on, without closing it, as a machine that has disappeared does. */
function silence(): void {
  for (const socket of connections) {
    socket.unpipe();
    socket.pause();
  }
}

const write = (text: string) => database.write(at(), (db: RowReader) => insertNote(db, text));
const read = () => database.read(at(), (db: RowReader) => db.rows<{ text: string }>(sql`SELECT text FROM notes`));

test('replaces connections to a server that has disappeared, and reports 503', async () => {
  await Promise.all([write('before'), write('before'), read()]);
  silence();
  const [first, second, reader] = await Promise.allSettled([write('lost'), write('lost'), read()]);
  const unavailable = { status: 'rejected', reason: busyFault };
  expect([first, second]).toEqual([unavailable, unavailable]);
  // The reader waited for a connection. It may have received a new one.
  const before = { status: 'fulfilled', value: [{ text: 'before' }, { text: 'before' }] };
  expect([unavailable, before]).toContainEqual(reader);
  await write('after');
  expect((await read()).map(({ text }) => text).toSorted()).toEqual(['after', 'before', 'before']);
  expect(await notes()).toEqual(['after', 'before', 'before']);
  expect(database.requests.totalCount).toBeLessThanOrEqual(2);
});
