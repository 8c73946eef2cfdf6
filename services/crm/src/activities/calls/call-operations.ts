/** Calls with leads and about deals: participants, duration and result. */
import { assertVersion, change, remove } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, removed } from '@suite/chassis/operations';
import { type Board, faultsOf, type RecordKind } from '../../pipeline/board/board.ts';
import { command, type CommandContext } from '../../operations.ts';
import { fetchStaff, upsertUserCopies, userOf } from '@suite/user-copies';
import { callActionsOf } from './call.rules.ts';
import { Call, CallChanges, CallInputs } from './call.schema.ts';
import { lockReferencedRecord, lockActivityRow, recordActivity } from '../../pipeline/board/record.ts';

/** Returns a call of an open record with the actions of the caller. */
const withActions = <Row extends object>({ caller }: CommandContext, { kind }: Board, call: Row) => ({
  ...call,
  allowed_actions: callActionsOf[kind].allowedTo(caller, call),
});

/** Creates the call operations of one kind of record. */
export function callOperations(
  board: Board,
  routes: {
    create: `POST /api/${RecordKind}-call/store`;
    update: `POST /api/${RecordKind}-call/update/{call_id}`;
    remove: `DELETE /api/${RecordKind}-call/delete/{call_id}`;
  },
) {
  const access = can(`${board.kind}.update`);
  const params = { call_id: idOf('calls') };
  const faults = faultsOf(board);
  return {
    create: command(routes.create, {
      summary: `Log a ${board.kind} call`,
      description: 'Records a call and adds it to the timeline. The assignee defaults to yourself.',
      access,
      body: CallInputs[board.kind],
      reply: created(Call),
      faults,
      prepare: ({ body, rpc }) => fetchStaff(rpc, { assignee_id: body.assignee_id }),
      async handle({ body, prepared, ...context }) {
        const { db, caller } = context;
        const card = await lockReferencedRecord(context, board, body);
        await upsertUserCopies(db, [userOf(caller), ...prepared]);
        const call = await db.call.create({ data: { ...body, assignee_id: body.assignee_id ?? caller.user_id } });
        await recordActivity(context, board, card, 'call_logged', { call_id: call.id, subject: call.subject });
        return withActions(context, board, call);
      },
    }),
    update: command(routes.update, {
      summary: `Update a ${board.kind} call`,
      description: 'Updates a call. Omitted fields stay unchanged. The timeline keeps the original entry.',
      access,
      params,
      body: CallChanges,
      reply: ok(Call),
      faults,
      prepare: ({ body, rpc }) => fetchStaff(rpc, { assignee_id: body.assignee_id }),
      async handle({ params, body: { version: _, ...columns }, prepared, expect, ...context }) {
        const { row } = await lockActivityRow(context, board, context.db.call, params.call_id);
        assertVersion(row, expect);
        await upsertUserCopies(context.db, prepared);
        return withActions(context, board, await change(context.db.call, params.call_id, columns));
      },
    }),
    remove: command(routes.remove, {
      summary: `Delete a ${board.kind} call`,
      description: `Deletes a call. The timeline of the ${board.kind} records the deletion.`,
      access,
      params,
      reply: removed,
      faults,
      async handle({ params, ...context }) {
        const { row, card } = await lockActivityRow(context, board, context.db.call, params.call_id);
        await recordActivity(context, board, card, 'call_removed', { subject: row.subject });
        return await remove(context.db.call, params.call_id);
      },
    }),
  };
}
