import { idOf } from '@suite/chassis/fields';
import { can, created, ok, removed } from '@suite/chassis/operations';
import { z } from 'zod';
import { projectFaults } from '../access/project.rules.ts';
import { inProjects } from '../../operations.ts';
import { createStage, LastStage, orderStages, removeStage, updateStage } from './stage.ts';
import { stageActions } from './stage.rules.ts';
import { Stage, StageChanges, StageInput, StageOrder, StageRemoval } from './stage.schema.ts';
import { type CardKind, readStages } from './stage.view.ts';

const { command } = inProjects;

// Chosen: these operations require the permission to update projects. The workspace's own stages require `stage.*` as
// well.
const access = can('project.update');

/** Creates the stage operations of one kind of card, identical for tasks and bugs. */
export function stageOperations<Kind extends CardKind>(
  kind: Kind,
  routes: {
    create: `POST /api/project/${Kind}-stage/create`;
    update: `POST /api/project/${Kind}-stage/update/{id}`;
    order: `POST /api/project/${Kind}-stage/order`;
    remove: `DELETE /api/project/${Kind}-stage/delete/{id}`;
  },
) {
  return {
    create: command(routes.create as `POST /api/${string}`, {
      summary: `Create a ${kind} stage`,
      description: `Creates a ${kind} stage in a project. Without \`project_id\`, extends the default stages that new projects copy.`,
      access,
      body: StageInput,
      reply: created(Stage),
      faults: projectFaults,
      async handle({ body, ...context }) {
        const [stage] = await readStages(context.db, context.caller, [await createStage(context, kind, body)]);
        return stage!;
      },
    }),
    update: command(routes.update as `POST /api/${string}/{id}`, {
      summary: `Update a ${kind} stage`,
      description: `Updates a stage. While it contains ${kind}s, \`group\` cannot change between open, completed and cancelled.`,
      access: stageActions.can('update'),
      params: { id: idOf('stages') },
      body: StageChanges,
      reply: ok(Stage),
      faults: [...projectFaults, LastStage],
      async handle({ params, body, expect, ...context }) {
        await updateStage(context, kind, params.id, body, expect);
        const [stage] = await readStages(context.db, context.caller, [params.id]);
        return stage!;
      },
    }),
    order: command(routes.order as `POST /api/${string}`, {
      summary: `Reorder ${kind} stages`,
      description:
        'Sets the order of all stages of a project or of the default stages. Requires every stage of the set exactly once.',
      access,
      body: StageOrder,
      reply: ok(z.array(Stage)),
      faults: projectFaults,
      handle: async ({ body, ...context }) =>
        readStages(context.db, context.caller, await orderStages(context, kind, body)),
    }),
    remove: command(routes.remove as `DELETE /api/${string}/{id}`, {
      summary: `Delete a ${kind} stage`,
      description: `Deletes a stage. A stage with ${kind}s requires \`move_to\`, their new stage in the same set. Returns \`last_stage\` if no stage for new or for completed ${kind}s would remain.`,
      access: stageActions.can('delete'),
      params: { id: idOf('stages') },
      query: StageRemoval,
      reply: removed,
      faults: [...projectFaults, LastStage],
      handle: ({ params, query, ...context }) => removeStage(context, kind, params.id, query.move_to),
    }),
  };
}
