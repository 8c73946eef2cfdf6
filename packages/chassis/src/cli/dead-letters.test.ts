import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { sqltag as sql } from '@prisma/client/runtime/client';
import { LeadLost } from '@suite/proto/crm/v1/events';
import { freePort } from '@suite/local/ports';
import { openFixture, ownNats, silentLog, waitUntil } from '../../test/fixture.ts';
import type { Stoppable } from '../bus/bus.ts';
import { consumers, startConsumers } from '../messaging/consume.ts';
import type { RowReader } from '../database/database.ts';
import { listDeadLetters } from '../messaging/dead-letters.ts';

const fixture = await openFixture();
// NATS is not needed here and never runs.
const nats = await ownNats();
let service: Stoppable | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
  await fixture.pool.query('TRUNCATE dead_letters, received_events, event_lanes, inbox, notes');
});
afterAll(async () => {
  await nats.close();
  await fixture.close();
});

interface Ran {
  code: number | null;
  said: string;
  complained: string;
}

function program(words: string[], database_url = fixture.url): Promise<Ran> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./dead-letters.ts', import.meta.url)), ...words], {
    env: { DATABASE_URL: database_url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [said, complained] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (said += chunk));
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk));
  return new Promise((resolve) => void child.once('close', (code) => resolve({ code, said, complained })));
}

async function addDeadLetter(consumer: string, position: number, reason = 'It makes no sense.'): Promise<string> {
  const id = randomUUID();
  const { workspace_id } = fixture;
  const envelope = {
    id,
    type: 'crm.lead.lost',
    schema_version: 'v1',
    workspace_id,
    aggregate_id: workspace_id,
    position,
    occurred_at: '2026-01-01T00:00:00.000Z',
    actor: null,
    trace_id: null,
    data: { lead_id: workspace_id, reason: `lost ${position}` },
  };
  const insert = 'INSERT INTO dead_letters (consumer, event_id, envelope, reason, attempts) VALUES ($1, $2, $3, $4, 5)';
  await fixture.pool.query(insert, [consumer, id, envelope, reason]);
  return id;
}

/** Starts a service that records each event that it processes, and fails to process `bad`. */
function serve(bad?: string): void {
  const on = consumers<RowReader>();
  const note = on(LeadLost, 'crm.a', async ({ event, db }) => {
    if (event.reason === bad) throw new Error('It still makes no sense.');
    await db.rows(sql`INSERT INTO notes (text) VALUES (${event.reason})`);
  });
  const tools = { bus: nats.bus(), database: fixture.database, log: silentLog, rpc: () => ({}) };
  service = startConsumers([note], tools);
}

test('lists the dead letters, ordered by record and event, and their remedies', async () => {
  const [second, first] = [
    await addDeadLetter('crm.a', 10, 'An earlier event of the same record is a dead letter.'),
    await addDeadLetter('crm.a', 9),
  ];
  const other = await addDeadLetter('crm.b', 1);
  const listed = await program(['list']);
  expect(listed).toMatchObject({ code: 0, complained: '' });
  expect(JSON.parse(listed.said)).toMatchObject([
    {
      consumer: 'crm.a',
      event_id: first,
      reason: 'It makes no sense.',
      attempts: 5,
      remedy: `Put right what the reason names, then replay it: npm run dead-letters -- crm replay crm.a ${first}`,
    },
    { event_id: second, remedy: expect.stringContaining('Replay all dead letters of this consumer') },
    { consumer: 'crm.b', event_id: other },
  ]);
  expect(JSON.parse((await program(['list', 'crm.b'])).said)).toHaveLength(1);
});

test('replays all dead letters in order and reports them as processed', async () => {
  serve();
  const [second, first] = [await addDeadLetter('crm.a', 10), await addDeadLetter('crm.a', 9)];
  expect(await program(['replay', 'crm.a'])).toEqual({
    code: 0,
    said: `crm.a ${first}: processed\ncrm.a ${second}: processed\n2 of 2 events processed.\n`,
    complained: '',
  });
  const { rows } = await fixture.pool.query('SELECT text FROM notes ORDER BY ctid');
  expect(rows).toEqual([{ text: 'lost 9' }, { text: 'lost 10' }]);
  expect(JSON.parse((await program(['list'])).said)).toEqual([]);
  expect(await program(['replay'])).toMatchObject({ code: 0, said: 'There are no dead letters.\n' });
});

test('reports the reason and the waiting events and exits with 1 if a replay fails', async () => {
  serve('lost 9');
  const [first, second] = [await addDeadLetter('crm.a', 9), await addDeadLetter('crm.a', 10)];
  const { code, said } = await program(['replay', 'crm.a']);
  expect({ code, said: said.split('\n') }).toEqual({
    code: 1,
    said: [
      `crm.a ${first}: failed again: It still makes no sense.`,
      expect.stringContaining(`crm.a ${second}: failed again: An earlier event of the same record is a dead letter.`),
      '0 of 2 events processed.',
      '',
    ],
  });
});

test('times out while the service is down, and replays once it runs', async () => {
  const id = await addDeadLetter('crm.a', 1);
  const { code, said } = await program(['replay', 'crm.a', id, '--wait', '1']);
  expect({ code, said }).toEqual({
    code: 1,
    said: `crm.a ${id}: not delivered within 1 s; queued until crm processes it\n0 of 1 events processed.\n`,
  });
  serve();
  await waitUntil('the event is processed', async () => (await listDeadLetters(fixture.pool)).length === 0);
  expect(await program(['replay', 'crm.a', id])).toMatchObject({
    code: 1,
    said: `There are no dead letters for crm.a ${id}.\n`,
  });
});

test('reports that a message that is not an event cannot be replayed', async () => {
  const id = randomUUID();
  await fixture.pool.query(
    `INSERT INTO dead_letters (consumer, event_id, envelope, reason, attempts) VALUES ('crm.a', $1, '{"undecodable":"?"}', 'The envelope is malformed.', 1)`,
    [id],
  );
  expect(JSON.parse((await program(['list'])).said)).toMatchObject([
    { remedy: expect.stringContaining('not an event') },
  ]);
  expect(await program(['replay'])).toMatchObject({ code: 1, said: expect.stringContaining('failed again') });
});

test.each([
  [['show'], 'Unknown command "show". Use `list` or `replay`.'],
  [['list', 'crm'], '"crm" is not the name of a consumer'],
  [['replay', 'crm.a', 'x'], '"x" is not an event ID'],
  [['replay', '--wait', 'long'], '--wait must be a whole number of seconds'],
  [['list', '--all'], "Unknown option '--all'"],
  [['list', 'crm.a', randomUUID(), 'more'], 'Unexpected argument "more".'],
])('answers wrong arguments with one sentence: %j', async (words, sentence) => {
  const { code, said, complained } = await program(words);
  expect({ code, said }).toEqual({ code: 1, said: '' });
  expect(complained).toContain(sentence);
  expect(complained.trim().split('\n')).toHaveLength(1);
});

test('fails if there is nothing to replay', async () => {
  expect(await program(['replay', 'crm.a'])).toMatchObject({ code: 1, said: 'There are no dead letters for crm.a.\n' });
});

test('prints help that fits one screen', async () => {
  const { code, said } = await program(['--help']);
  expect(code).toBe(0);
  expect(said.split('\n').length).toBeLessThan(24);
});

test('reports an unreachable or silent database in one sentence and in time', async () => {
  const away = await program(['list'], `postgres://x:x@127.0.0.1:${await freePort()}/x`);
  expect(away).toMatchObject({ code: 1, said: '' });
  expect(away.complained).toMatch(/^The database could not be read: .+\n$/);
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const silentOne = await program(['list'], `postgres://x:x@127.0.0.1:${port}/x`);
  expect(silentOne.complained).toMatch(/^The database could not be read: .+\n$/);
  server.close();
});
