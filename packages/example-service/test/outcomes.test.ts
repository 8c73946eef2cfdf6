import { randomUUID } from 'node:crypto';
import { change, find } from '@suite/chassis/database';
import { fault, TooManyRequests } from '@suite/chassis/faults';
import { idOf, secret } from '@suite/chassis/fields';
import { can, created, ok, open, anyUser, fileOf } from '@suite/chassis/operations';
import { LeadLost } from '@suite/proto/crm/v1/events';
import { describe, expect, test } from '@jest/globals';
import { type Reply, start, sortedStatuses } from '@suite/testing';
import { z } from 'zod';
import { command, query } from '../src/operations.ts';
import { testServiceOf } from './fixtures/trial.ts';

const Counted = fault(409, 'counted', 'This was counted, and refused.');
const Undone = fault(409, 'undone', 'This was undone.');
const Busy = fault(503, 'busy', 'Try again.');
const Done = z.object({ id: z.string() });

const refuseAndKeep = command('POST /api/trial/{id}/refuse', {
  summary: 'Count a failed try',
  access: can('trial'),
  params: { id: idOf('notes') },
  reply: ok(Done),
  faults: [Counted],
  async handle({ db, params, emit }) {
    await change(db.note, params.id, { position: { increment: 1 } });
    emit(LeadLost, LeadLost.fromPartial({ lead_id: params.id }));
    return Counted({ position: (await find(db.note, params.id)).position });
  },
});
const failAndUndo = command('POST /api/trial/{id}/fail', {
  summary: 'Change, and think better of it',
  access: can('trial'),
  params: { id: idOf('notes') },
  reply: ok(Done),
  faults: [Undone],
  async handle({ db, params, emit }) {
    await change(db.note, params.id, { position: { increment: 1 } });
    emit(LeadLost, LeadLost.fromPartial({ lead_id: params.id }));
    throw Undone();
  },
});
const undeclared = command('POST /api/trial/undeclared', {
  summary: 'Throw what is not declared',
  access: anyUser,
  reply: ok(Done),
  handle() {
    throw Undone();
  },
});
const newKey = command('POST /api/trial/key', {
  summary: 'Make a key',
  access: anyUser,
  reply: created(Done.extend({ key: secret(z.string()) })),
  handle: () => ({ id: randomUUID(), key: `bms_${randomUUID()}` }),
});
let tries = 0;
const flaky = command('POST /api/trial/flaky', {
  summary: 'Fail at first',
  access: anyUser,
  reply: ok(Done),
  handle() {
    tries += 1;
    if (tries === 1) throw new Error('an unexpected error');
    if (tries === 2) throw Busy();
    return { id: String(tries) };
  },
});
const slower = command('POST /api/trial/slower', {
  summary: 'Ask for patience',
  access: open,
  reply: ok(Done),
  handle() {
    throw TooManyRequests({ retry_after_s: 2.5 });
  },
});
const exported = command('POST /api/trial/export', {
  summary: 'Answer with a file',
  access: anyUser,
  reply: fileOf('text/csv'),
  handle: () => async (response) => void response.end('a;b'),
});
const cut = query('GET /api/trial/cut', {
  summary: 'Break off in the middle',
  access: anyUser,
  reply: fileOf('text/csv'),
  handle: () => async (response) => {
    response.write('half');
    throw new Error('an unexpected error');
  },
});

const operations = { flaky, slower, exported, cut, refuseAndKeep, failAndUndo, undeclared, newKey };
const trial = await start(testServiceOf(operations));
const kim = trial.member({ can: ['trial'] });
const key = () => ({ headers: { 'idempotency-key': randomUUID() } });

async function note(): Promise<string> {
  const id = randomUUID();
  await trial.sql`INSERT INTO notes (id, workspace_id, title) VALUES (${id}, ${kim.caller.workspace_id}, ${id})`;
  return id;
}
const positionOf = async (id: string) =>
  (await trial.sql`SELECT position FROM notes WHERE id = ${id}`)[0]?.['position'];
const events = async (id: string) => (await trial.sql`SELECT FROM journal_events WHERE aggregate_id = ${id}`).length;

describe('a fault', () => {
  test('keeps the writes and events if it is returned', async () => {
    const id = await note();
    expect(await kim.post(`/api/trial/${id}/refuse`)).toMatchObject({
      status: 409,
      body: { code: 'counted', details: { position: 1 }, request_id: expect.any(String) },
    });
    expect([await positionOf(id), await events(id)]).toEqual([1, 1]);
  });

  test('is stored under its key like any response if it is returned', async () => {
    const [id, once] = [await note(), key()];
    const [first, second] = [
      await kim.post(`/api/trial/${id}/refuse`, {}, once),
      await kim.post(`/api/trial/${id}/refuse`, {}, once),
    ];
    expect([first.body.details, second.body.details]).toEqual([{ position: 1 }, { position: 1 }]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect([await positionOf(id), await events(id)]).toEqual([1, 1]);
  });

  test('rolls everything back if it is thrown, with or without a key', async () => {
    const id = await note();
    const replies = [await kim.post(`/api/trial/${id}/fail`), await kim.post(`/api/trial/${id}/fail`, {}, key())];
    expect(replies.map(({ body }) => body.code)).toEqual(['undone', 'undone']);
    expect([await positionOf(id), await events(id)]).toEqual([0, 0]);
  });

  test('fails the test if it is undeclared', async () => {
    expect(await kim.post('/api/trial/undeclared')).toMatchObject({ status: 500, body: undefined });
  });
});

test('leaves the key of an internal error open, so that a retry runs again', async () => {
  const once = key();
  const answers: Reply[] = [];
  while (answers.length < 4) answers.push(await kim.post('/api/trial/flaky', {}, once));
  expect(answers.map(({ status, body }) => [status, body.data?.id])).toEqual([
    [500, undefined],
    [503, undefined],
    [200, '3'],
    [200, '3'],
  ]);
});

test('returns the retry time to a caller who exceeds a rate limit', async () => {
  const reply = await trial.anonymous.post('/api/trial/slower');
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '3']);
});

test('writes a file again under its key, and cuts the connection if it breaks off', async () => {
  const once = key();
  const replies = [await kim.post('/api/trial/export', {}, once), await kim.post('/api/trial/export', {}, once)];
  expect(sortedStatuses(replies)).toEqual([200, 200]);
  await expect(kim.get('/api/trial/cut')).rejects.toThrow();
});

test('returns a one-time value only once and stores it nowhere', async () => {
  const once = key();
  const [first, second] = [await kim.post('/api/trial/key', {}, once), await kim.post('/api/trial/key', {}, once)];
  expect(first.body.data.key).toMatch(/^bms_/);
  expect(second).toMatchObject({ status: 201, body: { data: { id: first.body.data.id, key: null } } });
  const kept = await trial.sql`SELECT body::text FROM idempotency_keys WHERE operation = 'trial.newKey'`;
  expect(kept).toEqual([{ body: JSON.stringify({ data: { id: first.body.data.id, key: null } }) }]);
});
