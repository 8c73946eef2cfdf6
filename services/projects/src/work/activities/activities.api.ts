/** The history of a project, limited to objects that the caller can see. */
import { idOf } from '@suite/chassis/fields';
import { can, page } from '@suite/chassis/operations';
import { inProjects } from '../../operations.ts';
import { Activity, ActivityFilter } from './activity.schema.ts';
import { listActivities } from './activity.view.ts';

const { query } = inProjects;

export const list = query('GET /api/project/activity/{id}', {
  summary: 'List the activities of a project',
  description:
    'Returns the history of a project: object, author, time and changed fields. Clients see entries about objects visible to them. Entries never change.',
  addition: 'Without it, only the last entries of a project history would be available.',
  access: can('project.view'),
  params: { id: idOf('projects') },
  query: ActivityFilter,
  reply: page(Activity),
  handle: ({ db, caller, params, query }) => listActivities(db, caller, query, params.id),
});
