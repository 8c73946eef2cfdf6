/** Actions on clients of projects. Managers remove them. */
import { raw } from '@suite/chassis/database';
import { recordActions } from '@suite/chassis/operations';
import { mayChange } from '../access/project-actions.ts';

export const clientActions = recordActions(
  'project_client',
  { delete: 'project.update' },
  { when: (_, caller, table) => mayChange(caller, raw(`${table}.project_id`), 'manager') },
);
