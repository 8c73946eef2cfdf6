import { randomUUID } from 'node:crypto';
import { change } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import { DryRun, idOf } from '@suite/chassis/fields';
import { can, ok } from '@suite/chassis/operations';
import { LeadLost } from '@suite/proto/crm/v1/events';
import { describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { z } from 'zod';
import { command } from '../src/operations.ts';
import { testServiceOf } from './fixtures/trial.ts';

const Moved = z.object({ id: z.string(), position: z.int() });
const TooFar = fault(409, 'too_far', 'It cannot go further.');

const move = command('POST /api/trial/{id}/move', {
  summary: 'Move a note',
  access: can('trial'),
  params: { id: idOf('notes') },
  query: { dry_run: DryRun },
  reply: ok(Moved),
  faults: [TooFar],
  async handle({ db, params, emit }) {
    const moved = await change(db.note, params.id, { position: { increment: 1 } });
    emit(LeadLost, LeadLost.fromPartial({ lead_id: params.id }));
    if (moved.position > 1) throw TooFar();
    return moved;
  },
});
const saga = command('POST /api/trial/{id}/saga', {
  summary: 'Note down, then fail',
  access: can('trial'),
  params: { id: idOf('notes') },
  reply: ok(Moved),
  faults: [TooFar],
  prepare: ({ write, params }) =>
    write(async (db, emit) => {
      emit(LeadLost, LeadLost.fromPartial({ lead_id: params.id }));
      return await change(db.note, params.id, { position: { increment: 1 } });
    }),
  async handle({ db, params }) {
    await change(db.note, params.id, { position: { increment: 1 } });
    throw TooFar();
  },
});

const trial = await start(testServiceOf({ move, saga }));
const kim = trial.member({ can: ['trial'] });

async function note(): Promise<string> {
  const id = randomUUID();
  await trial.sql`INSERT INTO notes (id, workspace_id, title) VALUES (${id}, ${kim.caller.workspace_id}, ${id})`;
  return id;
}
const traces = async (id: string) => {
  const [found] = await trial.sql`
    SELECT position, version, (SELECT count(*)::int FROM journal_events WHERE aggregate_id = ${id}) AS events,
      (SELECT count(*)::int FROM journal_changes WHERE record_id = ${id}) AS audits
    FROM notes WHERE id = ${id}`;
  return found;
};

describe('a dry run', () => {
  test('returns the outcome and changes nothing', async () => {
    const id = await note();
    const before = await traces(id);
    const reply = await kim.post(`/api/trial/${id}/move?dry_run=true`);
    expect(reply).toMatchObject({ status: 200, body: { data: { id, position: 1 } } });
    expect(await traces(id)).toEqual(before);
  });

  test('is rejected with the fault of the real command', async () => {
    const id = await note();
    expect((await kim.post(`/api/trial/${id}/move?dry_run=false`)).status).toBe(200);
    const before = await traces(id);
    expect(await kim.post(`/api/trial/${id}/move?dry_run=true`)).toMatchObject({
      status: 409,
      body: { code: 'too_far' },
    });
    expect(await traces(id)).toEqual(before);
  });

  test('does not use up its key', async () => {
    const id = await note();
    const once = { headers: { 'idempotency-key': randomUUID() } };
    await kim.post(`/api/trial/${id}/move?dry_run=true`, {}, once);
    const performed = await kim.post(`/api/trial/${id}/move`, {}, once);
    expect([performed.status, performed.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(await traces(id)).toMatchObject({ position: 1, events: 1 });
  });

  test('requires `dry_run=true` exactly', async () => {
    const reply = await kim.post(`/api/trial/${await note()}/move?dry_run=yes`);
    expect(reply).toMatchObject({ status: 422, body: { errors: { dry_run: [expect.any(String)] } } });
  });
});

test('keeps what was recorded before a command, regardless of its outcome', async () => {
  const id = await note();
  expect((await kim.post(`/api/trial/${id}/saga`)).status).toBe(409);
  expect(await traces(id)).toMatchObject({ position: 1, events: 1 });
});
