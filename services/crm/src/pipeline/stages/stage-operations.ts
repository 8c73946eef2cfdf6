import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { type Board, type RecordKind, namesOf } from '../board/board.ts';
import { command, query } from '../../operations.ts';
import { stageActions } from './stage.rules.ts';
import { changeStage, createStage, LastStage, removeStage, showStage } from './stage.ts';
import {
  DealStage,
  DealStageChanges,
  DealStageFilter,
  DealStageInput,
  LeadStage,
  LeadStageChanges,
  LeadStageFilter,
  LeadStageInput,
  StageRemoval,
} from './stage.schema.ts';

const shapes = {
  lead: { Stage: LeadStage, Input: LeadStageInput, Changes: LeadStageChanges, Filter: LeadStageFilter },
  deal: { Stage: DealStage, Input: DealStageInput, Changes: DealStageChanges, Filter: DealStageFilter },
};

/** Returns the stage operations of a board. Leads and deals have the same operations. */
export function stageOperations(
  board: Board,
  routes: {
    list: `GET /api/${RecordKind}-stages`;
    create: `POST /api/${RecordKind}-stage/create`;
    update: `POST /api/${RecordKind}-stage/update/{id}`;
    remove: `DELETE /api/${RecordKind}-stage/delete/{id}`;
  },
) {
  const { kind } = board;
  const { Stage, Input, Changes, Filter } = shapes[kind];
  const table = namesOf(board).stages;
  return {
    list: query(routes.list, {
      summary: `List ${kind} stages`,
      description: `Returns the stages with the number and total value of their ${kind}s. Filter by \`pipeline_id\` for the columns of a board.`,
      access: can('stage.view'),
      query: Filter,
      reply: page(Stage),
      handle: ({ db, query, caller }) => paginate(db, query, { table, compute: board.figures(caller) }),
    }),
    create: command(routes.create, {
      summary: `Create a ${kind} stage`,
      description: 'Creates a stage in a pipeline. `position` defaults to the end.',
      access: can('stage.create'),
      body: Input,
      reply: created(Stage),
      handle: async ({ db, body, caller }) => showStage(db, board, caller, await createStage(db, board, body)),
    }),
    update: command(routes.update, {
      summary: `Update a ${kind} stage`,
      description: `Updates a stage or moves it within its pipeline. Returns 409 \`in_use\` if a new \`type\` would close or reopen its ${kind}s.`,
      access: stageActions.can('update'),
      params: { id: idOf(table) },
      body: Changes,
      reply: ok(Stage),
      async handle({ db, params, body, caller, expect }) {
        const { version: _, ...fields } = body;
        await changeStage(db, board, params.id, fields, expect);
        return showStage(db, board, caller, params.id);
      },
    }),
    remove: command(routes.remove, {
      summary: `Delete a ${kind} stage`,
      description: `Deletes a stage. A stage with ${kind}s requires \`move_to\`: their new stage in the same pipeline. Returns \`last_stage\` for the last stage.`,
      access: stageActions.can('delete'),
      params: { id: idOf(table) },
      query: StageRemoval,
      reply: removed,
      faults: [LastStage],
      async handle({ db, params, query, emit }) {
        const moved = await removeStage(db, board, params.id, query.move_to);
        for (const id of moved) board.announceMove(emit, id, params.id, query.move_to as string);
        return { id: params.id };
      },
    }),
  };
}
