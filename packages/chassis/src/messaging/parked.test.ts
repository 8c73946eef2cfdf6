import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { openGround, ownNats, until } from '../../test/ground.ts';

const ground = await openGround();
const nats = await ownNats();
await nats.start();
afterAll(async () => {
  await nats.close();
  await ground.close();
});

function program(...words: string[]): Promise<{ code: number | null; said: string }> {
  const environment = { DATABASE_URL: ground.url, NATS_URL: nats.url };
  const child = spawn(process.execPath, [fileURLToPath(new URL('./parked.ts', import.meta.url)), ...words], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk));
  return new Promise((resolve) => void child.once('close', (code) => resolve({ code, said })));
}

async function park(consumer: string, aggregate_version: number): Promise<string> {
  const event_id = randomUUID();
  const envelope = { id: event_id, type: 'crm.lead.lost', aggregate_id: ground.workspace_id, aggregate_version };
  const insert =
    'INSERT INTO parked_messages (consumer, event_id, envelope, reason, attempts) VALUES ($1, $2, $3, $4, 5)';
  await ground.pool.query(insert, [consumer, event_id, envelope, 'It makes no sense.']);
  return event_id;
}

test('an operator sees what is parked, each record’s events in their order, and tries it again', async () => {
  const [second, first, other] = [await park('crm.a', 10), await park('crm.a', 9), await park('crm.b', 1)];
  const listed = await program('list');
  expect(listed.code).toBe(0);
  expect(JSON.parse(listed.said)).toMatchObject([
    { consumer: 'crm.a', event_id: first, reason: 'It makes no sense.', attempts: 5 },
    { consumer: 'crm.a', event_id: second },
    { consumer: 'crm.b', event_id: other },
  ]);
  expect(JSON.parse((await program('list', 'crm.b')).said)).toHaveLength(1);

  const heard: string[] = [];
  const bus = nats.bus();
  await until('NATS is there', () => bus.connected());
  const reader = bus.consume('crm.a', 'crm.lead.lost', async ({ payload, addressed }) => {
    if (addressed) heard.push(JSON.parse(payload).id);
    return undefined;
  });
  expect(await program('replay', 'crm.a')).toEqual({ code: 0, said: '2 messages are tried again.\n' });
  expect(await program('replay', 'crm.b', other)).toMatchObject({ said: '1 messages are tried again.\n' });
  await until('both are heard', () => heard.length === 2);
  expect(heard).toEqual([first, second]);
  // They are still parked. Whoever tries again at once is not taken for a repetition.
  await program('replay', 'crm.a');
  await until('both are heard again', () => heard.length === 4);
  await reader.stop();

  await ground.pool.query('UPDATE parked_messages SET replayed_at = now() WHERE event_id = $1', [other]);
  expect(JSON.parse((await program('list', 'crm.b')).said)).toEqual([]);
});
