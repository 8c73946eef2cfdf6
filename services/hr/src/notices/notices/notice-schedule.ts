/**
 * Shows and expires notices by their days in the workspace time zone. A notice is shown from its first day and expires
 * after its last. An event expires at its end. Once a day, missing acknowledgments are created. After downtime, missed
 * steps are caught up.
 */
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
import { syncAcknowledgments } from '../acknowledgments/acknowledgment.ts';
import type { NoticeKind } from '../../organisation/audiences/audience.ts';
import type { Db } from '../../operations.ts';
import { serializeOn } from '../../organisation/setup/serialize.ts';
import { expire, type NoticeContext, showToAudience } from './notice.ts';
import { NOTICE_SCHEDULE } from './notice.rules.ts';

const BATCH = 500;
const INTERVAL_MS = 10_000;

/** Notice that is due to be shown or to end. */
interface DueNotice {
  workspace_id: string;
  id: string;
  kind: NoticeKind;
  step: 'expire' | 'show' | 'check';
}

const dueNotices = () =>
  rotateByWorkspace(
    sql`
  WITH zones AS (SELECT workspace_id, (${clock.now()}::timestamptz AT TIME ZONE timezone)::date AS day FROM settings),
  notices AS (
    SELECT workspace_id, 'announcement' AS kind, id, start, "end", published_at, requires_ack, checked_on FROM announcements
      WHERE status = 'published'
    UNION ALL SELECT workspace_id, 'document', id, start, "end", published_at, requires_ack, checked_on FROM hrm_documents
      WHERE status = 'published'),
  steps AS (
    SELECT workspace_id, kind, id, CASE
        WHEN "end" < day THEN 'expire'
        WHEN published_at IS NULL AND (start IS NULL OR start <= day) THEN 'show'
        WHEN requires_ack AND checked_on < day THEN 'check' END AS step
      FROM notices JOIN zones USING (workspace_id)
    UNION ALL SELECT workspace_id, 'event', id, 'expire' FROM events
      WHERE status = 'published' AND "end" <= ${clock.now()}::timestamptz)
  SELECT workspace_id, kind, id, step FROM steps
  WHERE step IS NOT NULL AND ${isNotPostponed(NOTICE_SCHEDULE, sql`workspace_id`, sql`id`)}`,
    sql`id`,
    BATCH,
  );

async function applyStep(work: Pick<NoticeContext, 'db' | 'emit'>, { kind, id, step }: DueNotice): Promise<void> {
  if (step === 'expire') await expire(work.db, kind, id);
  else if (step === 'show') {
    await serializeOn(work.db, 'notices');
    await showToAudience(work, kind, id);
  } else if (kind !== 'event') await syncAcknowledgments(work.db, kind, id);
}

/** Applies due steps in all workspaces. A failure is postponed and does not delay others. */
export async function applyDueSteps(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<void> {
  const { database } = tools;
  const found = await findEverywhere<DueNotice>(database, NOTICE_SCHEDULE, dueNotices());
  await runDueWork(tools, NOTICE_SCHEDULE, found, (one) =>
    database.write(jobTransaction(NOTICE_SCHEDULE, one.workspace_id), (db, emit) => applyStep({ db, emit }, one)),
  );
}

export const noticeSchedule = declareSchedule(NOTICE_SCHEDULE, INTERVAL_MS, applyDueSteps);
