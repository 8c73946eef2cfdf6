/** Fixture for transaction tests: the table of notes, written and read as in services. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect } from '@jest/globals';
import { sqltag as sql } from '@prisma/client/runtime/client';
import { LeadLost } from '@suite/proto/crm/v1/events';
import type { RowReader } from '../src/database/database.ts';
import type { TransactionContext } from '../src/database/running.ts';
import type { Emit } from '../src/operation/events.ts';
import { openFixture } from './fixture.ts';

/** The fault of work that conflicts with too much other work. */
export const busyFault = expect.objectContaining({ status: 503, code: 'unavailable' });

/** Inserts a note. */
export const insertNote = (db: RowReader, text: string) => db.rows(sql`INSERT INTO notes (text) VALUES (${text})`);

/** Returns an event of a lead. Defaults to a new lead. */
export const leadLost = (lead_id: string = randomUUID()) => LeadLost.fromPartial({ lead_id });

/** Opens a database whose notes and events are empty at the start of each test. */
export async function openNotes(onCommit?: Parameters<typeof openFixture>[0]) {
  const fixture = await openFixture(onCommit);
  const { database, pool, workspace_id } = fixture;
  afterAll(() => fixture.close());
  beforeEach(async () => {
    await pool.query('TRUNCATE notes, journal');
  });
  const at = (changes: Partial<TransactionContext> = {}): TransactionContext => ({
    workspace_id,
    caller: null,
    operation: 'test',
    request_id: 'test',
    ...changes,
  });
  return {
    ...fixture,
    at,
    write: <T>(work: (db: RowReader, emit: Emit) => Promise<T>, context = at()) => database.write(context, work),
    notes: async () =>
      (await pool.query<{ text: string }>('SELECT text FROM notes ORDER BY text')).rows.map(({ text }) => text),
    announced: async () => (await pool.query('SELECT * FROM journal_events ORDER BY position')).rows,
  };
}
