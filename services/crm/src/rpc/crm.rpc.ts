/** Methods of crm for other services. */
import { sql } from '@suite/chassis/database';
import { Id } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { serveMethods } from '@suite/chassis/rpc';
import { CrmServiceDefinition, type Deal, type ToDoMark, type ToDoTask } from '@suite/proto/crm/v1/crm';
import { UserRightsInput, callerWithRights } from '@suite/user-copies';
import { z } from 'zod';
import { type Db, method } from '../operations.ts';
import { listConvertedProposals, listOrderProgress } from './order-progress.rpc.ts';

const MAX_USERS = 1_000;
const MAX_DEALS = 1_000;
const MAX_KNOWN = 10_000;
// Chosen: at most this number of tasks is returned. Beyond the limit, only the tasks with the earliest due dates are
// returned.
const MAX_TASKS = 5_000;

/** Returns deals by their IDs, for services that store them. */
const batchGetDeals = method(CrmServiceDefinition.methods.batchGetDeals, {
  summary: 'Get deals by ID',
  only: ['projects'],
  visible: true,
  input: z.object({ deal_ids: z.array(Id).max(MAX_DEALS, `Send at most ${MAX_DEALS} IDs.`) }),
  handle: async ({ db, input }) => ({
    deals: await db.rows<Deal>(sql`SELECT id AS deal_id, name FROM deals WHERE id = ANY(${input.deal_ids}::uuid[])`),
  }),
});

/**
 * Access for platform, which synchronises to-do lists on its own behalf and on behalf of users. Platform states the
 * current permissions of each user.
 */
const TO_DO_ACCESS = { access: 'settling', only: ['platform'] } as const;

/** Returns a mark per user that changes with their tasks. */
const batchGetToDoMarks = method(CrmServiceDefinition.methods.batchGetToDoMarks, {
  summary: 'List users whose tasks have changed',
  ...TO_DO_ACCESS,
  input: z.object({ user_ids: z.array(Id).max(MAX_USERS, `Send at most ${MAX_USERS} IDs.`) }),
  handle: async ({ db, input: { user_ids } }) => ({
    marks: await db.rows<ToDoMark>(sql`
      SELECT asked.user_id, count(tasks.id) || '.' ||
        coalesce(sum(hashtextextended(tasks.id::text || tasks.version, 0)), 0) AS mark
      FROM unnest(${user_ids}::uuid[]) AS asked (user_id) LEFT JOIN tasks ON tasks.assignee_id = asked.user_id
      GROUP BY asked.user_id`),
  }),
});

/** Returns the open tasks of a user, and the known tasks that are done, limited to what the user sees. */
async function readToDoTasks(db: Db, { user_id, modules }: Caller, known: readonly string[]): Promise<ToDoTask[]> {
  if (!modules.includes('crm')) return [];
  return await db.rows<ToDoTask>(sql`
    SELECT tasks.id AS task_id, tasks.version, tasks.name AS title, coalesce(leads.name, deals.name, '') AS description,
      date::text AS due_date, priority, CASE tasks.status WHEN 'done' THEN 'completed' ELSE 'unstarted' END AS "group",
      tasks.updated_at
    FROM tasks LEFT JOIN leads ON leads.id = lead_id LEFT JOIN deals ON deals.id = deal_id
    WHERE assignee_id = ${user_id}::uuid AND (tasks.status = 'todo' OR tasks.id = ANY(${known}::uuid[]))
    ORDER BY tasks.status, date, tasks.id LIMIT ${MAX_TASKS}`);
}

/** Returns a user's tasks of leads and deals. */
const listToDoTasks = method(CrmServiceDefinition.methods.listToDoTasks, {
  summary: "List a user's tasks of leads and deals",
  ...TO_DO_ACCESS,
  visible: true,
  input: z.object({
    rights: UserRightsInput,
    known_task_ids: z.array(Id).max(MAX_KNOWN, `Send at most ${MAX_KNOWN} IDs.`),
  }),
  actingAs: ({ rights }, caller) => callerWithRights(rights, caller),
  handle: async ({ db, caller, input }) => ({ tasks: await readToDoTasks(db, caller, input.known_task_ids) }),
});

export const crmRpc = serveMethods(CrmServiceDefinition, {
  batchGetDeals,
  batchGetToDoMarks,
  listToDoTasks,
  listOrderProgress,
  listConvertedProposals,
});
