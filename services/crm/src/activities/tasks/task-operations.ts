/** Tasks of leads and deals, with assignee and due time. */
import { assertVersion, change, remove } from '@suite/chassis/database';
import { idOf, midnight } from '@suite/chassis/fields';
import { can, created, ok, removed } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import type { z } from 'zod';
import { type Board, faultsOf, type RecordKind } from '../../pipeline/board/board.ts';
import { command, type CommandContext } from '../../operations.ts';
import { fetchStaff, upsertUserCopies, type PlatformUser } from '@suite/user-copies';
import { taskStates } from './task.rules.ts';
import { Task, TaskChanges, TaskInputs } from './task.schema.ts';
import { lockReferencedRecord, lockActivityRow, recordActivity } from '../../pipeline/board/record.ts';

type TaskRow = z.input<typeof Task>;
type TaskUpdate = z.output<typeof TaskChanges>;

/** Returns a task of an open record with the actions of the caller. */
const withActions = ({ caller }: CommandContext, { kind }: Board, task: object) =>
  ({ ...task, allowed_actions: taskStates[kind].allowedTo(caller, task) }) as TaskRow;

/** Changes a task. The status changes by its lifecycle, so that a task is done only once. */
async function changeTask(
  context: CommandContext,
  board: Board,
  id: string,
  { status, version: _, ...columns }: TaskUpdate,
  { expect, people }: { expect: number | undefined; people: readonly PlatformUser[] },
): Promise<TaskRow> {
  const { db } = context;
  const { row, card } = await lockActivityRow(context, board, db.task, id);
  assertVersion(row, expect);
  await upsertUserCopies(db, people);
  const done = status === 'done';
  const settled = { done_at: done ? clock.now() : null };
  if (status && (await taskStates[board.kind].move(db.task, id, done ? 'complete' : 'reopen', settled)))
    await recordActivity(context, board, card, done ? 'task_done' : 'task_reopened', { task_id: id, name: row.name });
  return withActions(context, board, await change(db.task, id, { ...columns, date: midnight(columns.date) }));
}

/** Creates the task operations of one kind of record. */
export function taskOperations(
  board: Board,
  routes: {
    create: `POST /api/${RecordKind}-task/create`;
    update: `POST /api/${RecordKind}-task/update/{id}`;
    remove: `DELETE /api/${RecordKind}-task/delete/{id}`;
  },
) {
  const access = can(`${board.kind}.update`);
  const params = { id: idOf('tasks') };
  const faults = faultsOf(board);
  return {
    create: command(routes.create, {
      summary: `Create a ${board.kind} task`,
      description: `Creates a task and adds it to the timeline of the ${board.kind}. \`reminder\` sends the assignee an e-mail at that time.`,
      access,
      body: TaskInputs[board.kind],
      reply: created(Task),
      faults,
      prepare: ({ body, rpc }) => fetchStaff(rpc, { assignee_id: body.assignee_id }),
      async handle({ body, prepared, ...context }) {
        const card = await lockReferencedRecord(context, board, body);
        await upsertUserCopies(context.db, prepared);
        const task = await context.db.task.create({ data: { ...body, date: midnight(body.date) } });
        await recordActivity(context, board, card, 'task_added', { task_id: task.id, name: task.name });
        return withActions(context, board, task);
      },
    }),
    update: command(routes.update, {
      summary: `Update a ${board.kind} task`,
      description: 'Updates a task. `status` completes or reopens it, which the timeline records.',
      access,
      params,
      body: TaskChanges,
      reply: ok(Task),
      faults,
      prepare: ({ body, rpc }) => fetchStaff(rpc, { assignee_id: body.assignee_id }),
      handle: ({ params, body, prepared: people, expect, ...context }) =>
        changeTask(context, board, params.id, body, { expect, people }),
    }),
    remove: command(routes.remove, {
      summary: `Delete a ${board.kind} task`,
      description: `Deletes a task. The timeline of the ${board.kind} records the deletion.`,
      access,
      params,
      reply: removed,
      faults,
      async handle({ params, ...context }) {
        const { row, card } = await lockActivityRow(context, board, context.db.task, params.id);
        await recordActivity(context, board, card, 'task_removed', { name: row.name });
        return await remove(context.db.task, params.id);
      },
    }),
  };
}
