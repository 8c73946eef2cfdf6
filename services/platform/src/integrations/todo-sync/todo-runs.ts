/** Synchronisation of to-do lists: every ten minutes, and shortly after a change. */
import { randomUUID } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { declareSchedule, jobTransaction, type JobContext } from '@suite/chassis/service';
import { limitTotalTime } from '@suite/outbound-http';
import { readRightsHolders, toRightsResponse } from '../../identity/accounts/rights.ts';
import {
  deliverDue,
  type DueDelivery,
  inSeconds,
  RECHECK_S,
  nextAttemptAt,
} from '../../connections/integrations/delivery.ts';
import {
  openIntegration,
  recordFailure,
  recordRejection,
  recordSuccess,
} from '../../connections/integrations/integration.ts';
import { toFailedAttempt } from '../../connections/integrations/server-rejection.ts';
import type { Db, Rpc } from '../../operations.ts';
import { calendarOf, type OpenToDoList, type ToDoListSecrets } from '../todo-connection/todo-connection.ts';
import type { ToDoListSettings } from '../todo-connection/todo-list.schema.ts';
import type { SyncRun } from './todo-item-sync.ts';
import { type SyncProgress, synchronize } from './todo-run.ts';
import { type SyncClaim, ClaimLost, endRun, readItems, type TodoItem } from './todo-sync.ts';
import { readMarks, clientsOnBehalfOf } from './todo-tasks.ts';

const NAME = 'platform.sync-todo-lists';
const INTERVAL_MS = 5_000;
/** Lifetime of a claim in seconds, longer than a run takes. After a crash, the run starts again then. */
const CLAIM_S = 60;
const EVERY_S = 600;
/** Time after which a run sends no further requests, so that a slow server cannot prolong it indefinitely. */
const RUN_MS = 20_000;

/** To-do list claimed for one run. */
interface ClaimedList extends SyncClaim {
  list: OpenToDoList;
  rights: SyncRun['rights'];
  items: TodoItem[];
  sync_token: string | null;
  has_token: boolean;
}

interface SyncRow {
  id: string;
  user_id: string;
  sync_token: string | null;
}

const postpone = (db: Db, id: string, next_attempt_at: Date) =>
  db.rows(sql`UPDATE todo_syncs SET next_attempt_at = ${next_attempt_at} WHERE id = ${id}::uuid`);

/** Returns the permissions of a user who may currently have a to-do list. */
async function readRights(db: Db, user_id: string): Promise<SyncRun['rights'] | undefined> {
  const [holder] = await readRightsHolders(db, [user_id]);
  const rights = holder && toRightsResponse(holder);
  return rights?.permissions.includes('integration.view') && rights.modules.includes('todolist') ? rights : undefined;
}

/**
 * Claims a to-do list for one run. A list waits while its server is paused, it is disabled, or its user cannot sign in.
 */
async function claimList(db: Db, { keys }: Pick<JobContext, 'keys'>, id: string): Promise<ClaimedList | undefined> {
  const now = clock.now();
  const [row] = await db.rows<SyncRow>(sql`
    SELECT id, user_id, sync_token FROM todo_syncs WHERE id = ${id}::uuid AND next_attempt_at <= ${now}
    FOR NO KEY UPDATE SKIP LOCKED`);
  if (!row) return undefined;
  const { user_id, sync_token } = row;
  const integration = { name: 'todolist', user_id } as const;
  const list = await openIntegration<ToDoListSettings, ToDoListSecrets>(db, keys, integration);
  const rights = list && (await readRights(db, user_id));
  if (!list || !rights || (list.next_retry_at && list.next_retry_at > now)) {
    await postpone(db, id, list && rights ? list.next_retry_at! : inSeconds(RECHECK_S));
    return undefined;
  }
  const claimed = randomUUID();
  await db.rows(sql`
    UPDATE todo_syncs SET claim = ${claimed}::uuid, next_attempt_at = ${inSeconds(CLAIM_S)} WHERE id = ${id}::uuid`);
  const { capabilities } = (await db.integration.findFirst({ where: { id }, select: { capabilities: true } }))!;
  const has_token = capabilities.includes('sync_token');
  return { id, user_id, claim: claimed, list, rights, items: await readItems(db, id), sync_token, has_token };
}

/** Results of a run in addition to its progress: the mark of the tasks when it began, and the rejected changes. */
interface RunResult extends Pick<SyncRun, 'rejections'> {
  mark: string;
}

type RecordResult = (db: Db) => Promise<void>;

const recordSucceeded =
  (
    claimed: ClaimedList,
    { sync_token, finished, refused }: SyncProgress,
    { mark, rejections }: RunResult,
  ): RecordResult =>
  async (db) => {
    const next_attempt_at = finished ? inSeconds(EVERY_S) : clock.now();
    const completion = finished ? { mark, refused } : { mark: null, refused: undefined };
    await endRun(db, claimed, { next_attempt_at, sync_token, ...completion });
    await recordSuccess(db, claimed.list);
    if (rejections[0]) await recordRejection(db, claimed.list, rejections[0], rejections.length);
  };

const recordFailed =
  (claimed: ClaimedList, error: unknown): RecordResult =>
  async (db) => {
    const attempt = toFailedAttempt(error);
    const health = await db.integrationHealth.findFirst({ where: { id: claimed.id } });
    const next_attempt_at = nextAttemptAt((health?.failures ?? 0) + 1, attempt) ?? inSeconds(EVERY_S);
    await endRun(db, claimed, { next_attempt_at, sync_token: claimed.sync_token, mark: null, refused: undefined });
    await recordFailure(db, claimed.list, attempt.failure);
  };

async function syncOne(tools: JobContext<Db, Rpc>, { id, workspace_id }: DueDelivery): Promise<void> {
  const { database, outgoing, rpc } = tools;
  const context = jobTransaction(NAME, workspace_id);
  const claimed = await database.write(context, (db) => claimList(db, tools, id));
  if (!claimed) return;
  const { user_id, rights, list, items } = claimed;
  const clients = clientsOnBehalfOf(rpc, { user_id, workspace_id }, context.request_id);
  const run: SyncRun = {
    id,
    user_id,
    claim: claimed.claim,
    rpc: clients,
    rights,
    timezone: rights.user.timezone || rights.timezone,
    calendar: calendarOf(list, { outgoing: limitTotalTime(outgoing, RUN_MS), workspace_id }),
    rejections: [],
    direction: list.settings.direction,
    write: (work) => database.write(context, work),
  };
  try {
    // Read before the tasks: the next check sees any change in between.
    const mark = (await readMarks(clients, [user_id])).get(user_id) ?? '';
    const recordResult = await synchronize(run, items, claimed).then(
      (progress) => recordSucceeded(claimed, progress, { mark, rejections: run.rejections }),
      (error: unknown) => {
        toFailedAttempt(error);
        return recordFailed(claimed, error);
      },
    );
    await database.write(context, recordResult);
  } catch (error) {
    if (!(error instanceof ClaimLost)) throw error;
  }
}

/** Synchronises the due to-do lists. */
export const syncToDoLists = declareSchedule(NAME, INTERVAL_MS, (tools: JobContext<Db, Rpc>) =>
  deliverDue(tools, { schedule: NAME, table: 'todo_syncs', waiting: sql`TRUE` }, (row) => syncOne(tools, row)),
);
