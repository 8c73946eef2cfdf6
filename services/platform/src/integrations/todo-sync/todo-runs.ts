/** Synchronisation of to-do lists: every ten minutes, and shortly after a change. */
import { randomUUID } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { every, scheduled, type Tools } from '@suite/chassis/service';
import { within } from '@suite/outbound-http';
import { holdersOfRights, statedRights } from '../../identity/accounts/rights.ts';
import {
  deliverDue,
  type DueDelivery,
  inSeconds,
  LATER_S,
  nextAttemptAt,
} from '../../connections/integrations/delivery.ts';
import {
  openIntegration,
  recordFailure,
  recordRefusal,
  recordSuccess,
} from '../../connections/integrations/integration.ts';
import { asFailedAttempt } from '../../connections/integrations/server-refused.ts';
import type { Db, Rpc } from '../../operations.ts';
import { calendarOf, type OpenToDoList, type ToDoListSecrets } from '../todo-connection/todo-connection.ts';
import type { ToDoListSettings } from '../todo-connection/todo-list.schema.ts';
import type { Run } from './todo-item-sync.ts';
import { type SyncProgress, synchronize } from './todo-run.ts';
import { type SyncClaim, ClaimLost, endRun, itemsOf, type TodoItem } from './todo-sync.ts';
import { marksOf, clientsOnBehalfOf } from './todo-tasks.ts';

const NAME = 'platform.sync-todo-lists';
const INTERVAL_MS = 5_000;
/** Lifetime of a claim in seconds, longer than a run takes. After a crash, the run starts again then. */
const CLAIM_S = 60;
const EVERY_S = 600;
/** Time after which a run sends no further requests, so that a slow server cannot prolong it indefinitely. */
const RUN_MS = 20_000;

/** To-do list claimed for one run. */
interface Claimed extends SyncClaim {
  list: OpenToDoList;
  rights: Run['rights'];
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
async function rightsOf(db: Db, user_id: string): Promise<Run['rights'] | undefined> {
  const [holder] = await holdersOfRights(db, [user_id]);
  const rights = holder && statedRights(holder);
  return rights?.permissions.includes('integration.view') && rights.modules.includes('todolist') ? rights : undefined;
}

/**
 * Claims a to-do list for one run. A list waits while its server is paused, it is disabled, or its user cannot sign in.
 */
async function claim(db: Db, { keys }: Pick<Tools, 'keys'>, id: string): Promise<Claimed | undefined> {
  const now = clock.now();
  const [row] = await db.rows<SyncRow>(sql`
    SELECT id, user_id, sync_token FROM todo_syncs WHERE id = ${id}::uuid AND next_attempt_at <= ${now}
    FOR NO KEY UPDATE SKIP LOCKED`);
  if (!row) return undefined;
  const { user_id, sync_token } = row;
  const own = { name: 'todolist', user_id } as const;
  const list = await openIntegration<ToDoListSettings, ToDoListSecrets>(db, keys, own);
  const rights = list && (await rightsOf(db, user_id));
  if (!list || !rights || (list.next_retry_at && list.next_retry_at > now)) {
    await postpone(db, id, list && rights ? list.next_retry_at! : inSeconds(LATER_S));
    return undefined;
  }
  const claimed = randomUUID();
  await db.rows(sql`
    UPDATE todo_syncs SET claim = ${claimed}::uuid, next_attempt_at = ${inSeconds(CLAIM_S)} WHERE id = ${id}::uuid`);
  const { capabilities } = (await db.integration.findFirst({ where: { id }, select: { capabilities: true } }))!;
  const has_token = capabilities.includes('sync_token');
  return { id, user_id, claim: claimed, list, rights, items: await itemsOf(db, id), sync_token, has_token };
}

/** Results of a run in addition to its progress: the mark of the tasks when it began, and the rejected changes. */
interface Found extends Pick<Run, 'refusals'> {
  mark: string;
}

type Recorded = (db: Db) => Promise<void>;

const succeeded =
  (claimed: Claimed, { sync_token, finished, refused }: SyncProgress, { mark, refusals }: Found): Recorded =>
  async (db) => {
    const next_attempt_at = finished ? inSeconds(EVERY_S) : clock.now();
    const told = finished ? { mark, refused } : { mark: null, refused: undefined };
    await endRun(db, claimed, { next_attempt_at, sync_token, ...told });
    await recordSuccess(db, claimed.list);
    if (refusals[0]) await recordRefusal(db, claimed.list, refusals[0], refusals.length);
  };

const failed =
  (claimed: Claimed, error: unknown): Recorded =>
  async (db) => {
    const attempt = asFailedAttempt(error);
    const health = await db.integrationHealth.findFirst({ where: { id: claimed.id } });
    const next_attempt_at = nextAttemptAt((health?.failures ?? 0) + 1, attempt) ?? inSeconds(EVERY_S);
    await endRun(db, claimed, { next_attempt_at, sync_token: claimed.sync_token, mark: null, refused: undefined });
    await recordFailure(db, claimed.list, attempt.failure);
  };

async function syncOne(tools: Tools<Db, Rpc>, { id, workspace_id }: DueDelivery): Promise<void> {
  const { database, outgoing, rpc } = tools;
  const context = scheduled(NAME, workspace_id);
  const claimed = await database.write(context, (db) => claim(db, tools, id));
  if (!claimed) return;
  const { user_id, rights, list, items } = claimed;
  const speaking = clientsOnBehalfOf(rpc, { user_id, workspace_id }, context.request_id);
  const run: Run = {
    id,
    user_id,
    claim: claimed.claim,
    rpc: speaking,
    rights,
    timezone: rights.user.timezone || rights.timezone,
    calendar: calendarOf(list, { outgoing: within(outgoing, RUN_MS), workspace_id }),
    refusals: [],
    direction: list.settings.direction,
    write: (work) => database.write(context, work),
  };
  try {
    // Read before the tasks: the next check sees any change in between.
    const mark = (await marksOf(speaking, [user_id])).get(user_id) ?? '';
    const recorded = await synchronize(run, items, claimed).then(
      (progress) => succeeded(claimed, progress, { mark, refusals: run.refusals }),
      (error: unknown) => {
        asFailedAttempt(error);
        return failed(claimed, error);
      },
    );
    await database.write(context, recorded);
  } catch (error) {
    if (!(error instanceof ClaimLost)) throw error;
  }
}

/** Synchronises the due to-do lists. */
export const syncToDoLists = every(NAME, INTERVAL_MS, (tools: Tools<Db, Rpc>) =>
  deliverDue(tools, { schedule: NAME, table: 'todo_syncs', waiting: sql`TRUE` }, (row) => syncOne(tools, row)),
);
