/** Records in a body: a record that the caller may not see is rejected like an unknown one, by its field. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { idCheckedBy, idOf, input, refTo } from '@suite/chassis/fields';
import { can, ok } from '@suite/chassis/operations';
import { type Member, start } from '@suite/testing';
import { z } from 'zod';
import { command, query } from '../src/operations.ts';
import { testServiceOf } from './fixtures/trial.ts';

const Body = input({
  id: idOf('notes').optional(),
  note_id: refTo('notes').nullable().optional().describe('Described after it was declared.'),
  note_ids: z.array(refTo('notes')).optional(),
  lines: z.array(z.strictObject({ note_id: refTo('notes') })).optional(),
  customer_id: idCheckedBy('no service, in this trial').optional(),
});
const declared = { access: can('trial'), body: Body, reply: ok(z.object({})) };
const copy = command('POST /api/trial/copy', { summary: 'Copy', ...declared, handle: () => ({}) });
const count = query('POST /api/trial/count', { summary: 'Count', ...declared, handle: () => ({}) });

const trial = await start(testServiceOf({ copy, count }));
const workspace = randomUUID();
const kim = trial.member({ can: ['trial'], workspace, record_scopes: { note: 'own' } });

async function noteOf({ caller }: Member): Promise<string> {
  const id = randomUUID();
  await trial.sql`
    INSERT INTO notes (id, workspace_id, title, created_by) VALUES (${id}, ${workspace}, ${id}, ${caller.user_id})`;
  return id;
}

const comparable = ({ status, body }: { status: number; body: object }) => ({
  status,
  body: { ...body, request_id: '' },
});

describe.each(['copy', 'count'])('in a body of trial.%s', (name) => {
  test.each([
    ['a record', 'note_id', (id: string) => ({ note_id: id })],
    ['one of several records', 'note_ids', (id: string, own: string) => ({ note_ids: [own, id] })],
    [
      'a record of a line',
      'lines.1.note_id',
      (id: string, own: string) => ({ lines: [{ note_id: own }, { note_id: id }] }),
    ],
  ])('%s that the caller may not see is rejected with its path', async (_, place, body) => {
    const [own, hidden] = [await noteOf(kim), await noteOf(trial.member({ workspace }))];
    const ask = (id: string) => kim.post(`/api/trial/${name}`, body(id, own));
    const refused = await ask(hidden);
    expect(refused).toMatchObject({ status: 422, body: { errors: { [place]: ['Record not found.'] } } });
    expect(comparable(refused)).toEqual(comparable(await ask(randomUUID())));
    expect((await ask(own)).status).toBe(200);
  });

  test('returns 404 for the subject record, as in a path', async () => {
    const hidden = await noteOf(trial.member({ workspace }));
    const refused = await kim.post(`/api/trial/${name}`, { id: hidden });
    expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(comparable(refused)).toEqual(comparable(await kim.post(`/api/trial/${name}`, { id: randomUUID() })));
  });

  test('does not look up missing references and references that others check', async () => {
    const body = { note_id: null, note_ids: [], customer_id: randomUUID() };
    expect((await kim.post(`/api/trial/${name}`, body)).status).toBe(200);
  });
});
