/** Request schemas of the light module. */
import { choice, Day, idCheckedBy, idOf, input, ShortText } from '@suite/chassis/fields';
import type { ListRequest } from '@suite/chassis/lists';
import { z } from 'zod';
import { StageGroup } from '../../work/stages/stage.schema.ts';
import { NameInPath } from '../tasks/task.schema.ts';
import { TaskFilter } from '../../work/work-items/card.schema.ts';
import { requestOf } from './requests.ts';

export const TaskReference = input({ id: idOf('work_items') });
export const TaskName = input({ id: NameInPath });

/** Returns the schema of a filter with one or several values. */
const oneOrMore = <S extends z.ZodType>(schema: S) => z.union([schema, z.array(schema).min(1).max(100)]).optional();
/** ID of a list filter. The list is empty if the caller cannot see the record. */
const Narrowing = idCheckedBy('the list, in which it finds nothing');

export const TaskListRequest = input({
  page: z.int().min(1).optional(),
  per_page: z.int().min(1).max(100).optional(),
  sort: ShortText(200).optional().describe('`-created_at`, or several fields with commas between them.'),
  q: ShortText(200).optional(),
  project_id: oneOrMore(Narrowing),
  stage_id: oneOrMore(Narrowing),
  group: oneOrMore(StageGroup),
  assignee_id: oneOrMore(Narrowing),
  mine: z.boolean().optional().describe('Whether to return only tasks assigned to the caller.'),
  milestone_id: oneOrMore(Narrowing),
  priority: oneOrMore(choice('low', 'medium', 'high', 'urgent')),
  is_overdue: z.boolean().optional(),
  due_date_from: Day.optional(),
  due_date_to: Day.optional(),
}).refine(({ mine, assignee_id }) => !mine || assignee_id === undefined, {
  error: 'Request either your own tasks or tasks of other users.',
  path: ['assignee_id'],
});
type TaskListRequest = z.output<typeof TaskListRequest>;

/** Converts a request body to a list request. @param user_id the user for `mine` */
export const taskRequestOf = ({ mine, ...body }: TaskListRequest, user_id: string): ListRequest =>
  requestOf(TaskFilter, { ...body, ...(mine && { assignee_id: user_id }) }, 'task-list');
