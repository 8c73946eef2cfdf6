/** Status transitions caused by time, and the files of tickets deleted long ago. */
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
  rotateByWorkspace,
} from '@suite/chassis/service';
import type { Db } from '../../operations.ts';
import { applyDueTransition, TICKET_COLUMNS, type TicketRow } from '../ticket-states/ticket-change.ts';

const SCHEDULE = 'support.move-tickets';
const BATCH = 100;

/** Executes the due transitions, the earliest first, however late the schedule runs. Returns their number. */
export async function applyDueTransitions(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<number> {
  const { database } = tools;
  const due = await findEverywhere<{ id: string; workspace_id: string }>(
    database,
    SCHEDULE,
    rotateByWorkspace(
      sql`
      SELECT id, workspace_id, moves_at FROM tickets
      WHERE moves_at IS NOT NULL AND moves_at <= ${clock.now()} AND deleted_at IS NULL
        AND ${isNotPostponed(SCHEDULE, sql`workspace_id`, sql`id`)}`,
      sql`moves_at, id`,
      BATCH,
    ),
  );
  await runDueWork(tools, SCHEDULE, due, ({ id, workspace_id }) =>
    database.write(jobTransaction(SCHEDULE, workspace_id), async (db, emit) => {
      // The condition is read again under the lock: a concurrent reply takes precedence.
      const [ticket] = await db.rows<TicketRow>(sql`
        SELECT ${TICKET_COLUMNS} FROM tickets
        WHERE id = ${id}::uuid AND moves_at <= ${clock.now()} AND deleted_at IS NULL FOR NO KEY UPDATE`);
      if (ticket) await applyDueTransition({ db, emit, caller: null }, ticket);
    }),
  );
  return due.length;
}

export const applyDueTransitionsRegularly = declareSchedule(SCHEDULE, 15_000, applyDueTransitions);

const REMOVAL = 'support.remove-deleted';
const KEPT_DAYS = 30;
const HOUR_MS = 3_600_000;

/** Removes the files of tickets deleted 30 days ago. Returns the number of tickets. */
export async function removeOldFiles(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<number> {
  const { database } = tools;
  const before = new Date(clock.now().getTime() - KEPT_DAYS * 24 * HOUR_MS);
  const due = await findEverywhere<{ id: string; workspace_id: string }>(
    database,
    REMOVAL,
    rotateByWorkspace(
      sql`
      SELECT id, workspace_id, deleted_at FROM tickets WHERE deleted_at <= ${before} AND (
        EXISTS (SELECT FROM files WHERE files.workspace_id = tickets.workspace_id AND files.ticket_id = tickets.id)
        OR EXISTS (SELECT FROM note_files JOIN ticket_notes AS note ON note.id = note_files.note_id
          WHERE note.workspace_id = tickets.workspace_id AND note.ticket_id = tickets.id))
        AND ${isNotPostponed(REMOVAL, sql`workspace_id`, sql`id`)}`,
      sql`deleted_at, id`,
      BATCH,
    ),
  );
  await runDueWork(tools, REMOVAL, due, ({ id, workspace_id }) =>
    database.write(jobTransaction(REMOVAL, workspace_id), async (db) => {
      await db.file.deleteMany({ where: { ticket_id: id } });
      await db.noteFile.deleteMany({ where: { note: { ticket_id: id } } });
    }),
  );
  return due.length;
}

export const removeOldFilesHourly = declareSchedule(REMOVAL, HOUR_MS, removeOldFiles);
