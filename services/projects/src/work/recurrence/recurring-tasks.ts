/** Schedule that creates the due tasks of series, including for days on which no process ran. */
import { sql } from '@suite/chassis/database';
import { callerOnBehalfOf } from '@suite/chassis/identity';
import { clock, today } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
  rotateByWorkspace,
} from '@suite/chassis/service';
import { enterProject } from '../access/access.ts';
import type { Db } from '../../operations.ts';
import { lockItem } from '../work-items/card.ts';
import { continueSeries } from './recurrence.ts';

interface DueTask {
  id: string;
  workspace_id: string;
  project_id: string;
  created_by: string | null;
  timezone: string;
}

const SCHEDULE = 'projects.recurring-tasks';
const BATCH = 100;
const NO_USER = '00000000-0000-0000-0000-000000000000';

/** Creates the due tasks. Returns the number of continued series. */
export async function makeRecurringTasks(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<number> {
  const { database } = tools;
  const due = await findEverywhere<DueTask>(
    database,
    SCHEDULE,
    rotateByWorkspace(
      sql`
      SELECT item.id, item.workspace_id, item.project_id, item.created_by, item.due_date, settings.timezone
      FROM work_items AS item
      JOIN projects ON projects.workspace_id = item.workspace_id AND projects.id = item.project_id
      JOIN settings ON settings.workspace_id = item.workspace_id
      WHERE item.recurrence IS NOT NULL AND item.due_date <= (${clock.now()}::timestamptz AT TIME ZONE settings.timezone)::date
        AND projects.active AND projects.status NOT IN ('finished', 'cancelled') AND NOT projects.is_template
        AND ${isNotPostponed(SCHEDULE, sql`item.workspace_id`, sql`item.id`)}`,
      sql`due_date, id`,
      BATCH,
    ),
  );
  await runDueWork(tools, SCHEDULE, due, ({ id, workspace_id, project_id, created_by, timezone }) =>
    database.write(jobTransaction(SCHEDULE, workspace_id), async (db, emit) => {
      // A series runs with the permissions of a user who manages all projects. Without a creator, the placeholder ID
      // keeps the task from naming a user.
      const caller = callerOnBehalfOf(created_by ?? NO_USER, workspace_id);
      await enterProject({ db, caller }, project_id, 'manager', { lock: 'update' });
      await continueSeries({ db, caller, emit }, await lockItem(db, 'task', id, project_id), today(timezone));
    }),
  );
  return due.length;
}

export const recurringTasks = declareSchedule(SCHEDULE, 60_000, makeRecurringTasks);
