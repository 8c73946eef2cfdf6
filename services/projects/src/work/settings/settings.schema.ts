import { input, record, refTo, version } from '@suite/chassis/fields';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { settingsActions } from './settings.rules.ts';

/** Project settings of a workspace. */
export const ProjectSettings = record({
  block_completion: z.boolean().describe('Whether a task with open blockers cannot be completed.'),
  deal_template_id: refTo('projects')
    .nullable()
    .describe('ID of the project template for won deals. `null` to create no project.'),
  allowed_actions: Actions(settingsActions),
}).meta({ id: 'ProjectSettings' });

export const ProjectSettingsChanges = input({
  block_completion: z.boolean().optional(),
  deal_template_id: refTo('projects')
    .nullish()
    .describe('ID of the project template for won deals. `null` to create none.'),
  version,
});
export type ProjectSettingsChanges = z.output<typeof ProjectSettingsChanges>;
