import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { change } from '@suite/chassis/database';
import { type Fault, fault, invalid } from '@suite/chassis/faults';
import { idOf } from '@suite/chassis/fields';
import { can, ok } from '@suite/chassis/operations';
import { start } from '@suite/testing';
import { z } from 'zod';
import { command } from '../src/operations.ts';
import { testServiceOf } from './fixtures/trial.ts';

const Moved = z.object({ id: z.string(), position: z.int() });
const Busy = fault(409, 'busy', 'Another request is in progress. Try again in a moment.', { retryable: true });

/** The state of the outside world during the operations. */
const outside = { is_busy: false, is_gone: false, asked: 0 };
beforeEach(() => {
  Object.assign(outside, { is_busy: false, is_gone: false, asked: 0 });
});

const common = { access: can('trial'), params: { id: idOf('notes') }, reply: ok(Moved) };
const step = { position: { increment: 1 } };
const thrown = command('POST /api/trial/{id}/thrown', {
  summary: 'Move a note unless it is locked',
  ...common,
  faults: [Busy],
  async handle({ db, params }) {
    const moved = await change(db.note, params.id, step);
    if (outside.is_busy) throw Busy();
    return moved;
  },
});
const returned = command('POST /api/trial/{id}/returned', {
  summary: 'Move a note even if it is locked',
  ...common,
  faults: [Busy],
  async handle({ db, params }): Promise<z.input<typeof Moved> | Fault> {
    const moved = await change(db.note, params.id, step);
    return outside.is_busy ? Busy() : moved;
  },
});
const gathered = command('POST /api/trial/{id}/gathered', {
  summary: 'Ask outside, then move a note',
  ...common,
  async prepare() {
    outside.asked += 1;
    if (outside.is_gone) throw invalid('id', 'This record no longer exists outside.');
  },
  handle: ({ db, params }) => change(db.note, params.id, step),
});

const trial = await start(testServiceOf({ thrown, returned, gathered }));
const kim = trial.member({ can: ['trial'] });

async function note(): Promise<string> {
  const id = randomUUID();
  await trial.sql`INSERT INTO notes (id, workspace_id, title) VALUES (${id}, ${kim.caller.workspace_id}, ${id})`;
  return id;
}
const positionOf = async (id: string) =>
  (await trial.sql`SELECT position FROM notes WHERE id = ${id}`)[0]?.['position'];
const withIdempotencyKey = () => ({ headers: { 'idempotency-key': randomUUID() } });
const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed');

describe('a retryable fault', () => {
  test('is not stored for its key: the same call works a moment later', async () => {
    const [id, once] = [await note(), withIdempotencyKey()];
    outside.is_busy = true;
    const refused = await kim.post(`/api/trial/${id}/thrown`, {}, once);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([409, 'busy', '1']);
    expect(await positionOf(id)).toBe(0);
    outside.is_busy = false;
    const [first, second] = [
      await kim.post(`/api/trial/${id}/thrown`, {}, once),
      await kim.post(`/api/trial/${id}/thrown`, {}, once),
    ];
    expect([first.status, replayed(first), second.status, replayed(second)]).toEqual([200, null, 200, 'true']);
    expect(await positionOf(id)).toBe(1);
  });

  test('keeps the writes, but not its key, if it is returned', async () => {
    const [id, once] = [await note(), withIdempotencyKey()];
    outside.is_busy = true;
    expect(await kim.post(`/api/trial/${id}/returned`, {}, once)).toMatchObject({ status: 409 });
    outside.is_busy = false;
    expect(await kim.post(`/api/trial/${id}/returned`, {}, once)).toMatchObject({ status: 200 });
    expect(await positionOf(id)).toBe(2);
  });
});

describe('a completed call', () => {
  test('is answered again, regardless of later changes to its record', async () => {
    const [id, once] = [await note(), withIdempotencyKey()];
    const first = await kim.post(`/api/trial/${id}/gathered`, {}, once);
    outside.is_gone = true;
    const second = await kim.post(`/api/trial/${id}/gathered`, {}, once);
    expect([second.status, second.body, replayed(second)]).toEqual([200, first.body, 'true']);
    expect([outside.asked, await positionOf(id)]).toEqual([1, 1]);
    expect((await kim.post(`/api/trial/${id}/gathered`, {}, withIdempotencyKey())).status).toBe(422);
  });

  test('is rejected if its key is used for another request', async () => {
    const [id, once] = [await note(), withIdempotencyKey()];
    await kim.post(`/api/trial/${id}/gathered`, {}, once);
    const other = await kim.post(`/api/trial/${await note()}/gathered`, {}, once);
    expect([other.status, other.body.code, outside.asked]).toEqual([422, 'idempotency_key_reused', 1]);
  });
});

test("a session's key is new to the user's API keys but shared by their sessions", async () => {
  const { user_id, workspace_id: workspace } = kim.caller;
  const [first, second] = [randomUUID(), randomUUID()];
  const as = (more: object) => trial.member({ can: ['trial'], user_id, workspace, ...more });
  const [id, once] = [await note(), withIdempotencyKey()];
  const callers = [
    {},
    { session_id: randomUUID() },
    { api_key_id: first },
    { api_key_id: second },
    { api_key_id: first },
  ];
  const positions: number[] = [];
  for (const more of callers)
    positions.push((await as(more).post(`/api/trial/${id}/thrown`, {}, once)).body.data.position);
  expect(positions.map((position) => position - positions[0]!)).toEqual([0, 0, 1, 2, 1]);
});
