import { Id, inner, input, record, refTo } from '@suite/chassis/fields';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { fileActions } from './file.rules.ts';

/** File of a project, or of a task, a bug or a comment in it. */
export const ProjectFile = record({
  project_id: Id,
  item_id: Id.nullable().describe('ID of the task or bug of the file.'),
  comment_id: Id.nullable(),
  name: z.string(),
  size: z.int(),
  mime: z.string(),
  client_visible: inner(z.boolean()),
  url: z.string().describe('Download URL. No token required. Expires after one to three hours.'),
  allowed_actions: Actions(fileActions),
}).meta({ id: 'ProjectFile' });

const Flag = z
  .enum(['true', 'false'])
  .transform((word) => word === 'true')
  .optional();

/** Form fields that accompany the file. */
export const FileInput = input({
  project_id: refTo('projects'),
  task_id: refTo('work_items').optional(),
  bug_id: refTo('work_items').optional(),
  comment_id: refTo('comments').optional(),
  client_visible: Flag.describe('Whether the clients of the project can see the file.'),
}).refine(({ task_id, bug_id, comment_id }) => [task_id, bug_id, comment_id].filter(Boolean).length <= 1, {
  error: 'A file belongs to one task, one bug or one comment.',
  path: ['task_id'],
});
export type FileInput = z.output<typeof FileInput>;
