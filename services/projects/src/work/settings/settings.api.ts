/** Project settings of the workspace. */
import { can, ok } from '@suite/chassis/operations';
import { inProjects } from '../../operations.ts';
import { changeSettings, settingsOf } from './settings.ts';
import { ProjectSettings, ProjectSettingsChanges } from './settings.schema.ts';
import { settingsActions } from './settings.rules.ts';

const ADDITION = 'The handling of blocked tasks and won deals is a choice of the workspace.';

const { query, command } = inProjects;

export const show = query('GET /api/project/settings', {
  summary: 'Get the project settings',
  description: 'Returns the settings of all projects: the completion rule and the template for won deals.',
  addition: ADDITION,
  access: can('workspace.update'),
  reply: ok(ProjectSettings),
  handle: ({ db }) => settingsOf(db),
});

export const update = command('POST /api/project/settings/update', {
  summary: 'Update the project settings',
  description:
    'Updates the settings of all projects. `deal_template_id` must be an active template. Omitted fields stay unchanged.',
  addition: ADDITION,
  access: settingsActions.can('update'),
  body: ProjectSettingsChanges,
  reply: ok(ProjectSettings),
  handle: ({ db, body, expect }) => changeSettings(db, body, expect),
});
