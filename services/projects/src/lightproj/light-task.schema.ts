/** Shapes of the light module's bodies. */
import { choice, Day, idCheckedBy, idOf, input, type ListQuery, type ListRequest, ShortText } from '@suite/chassis';
import { z } from 'zod';
import { StageGroup } from '../stages/stage.schema.ts';
import { NameInPath } from '../tasks/task.schema.ts';
import { TaskFilter } from '../work-items/card.schema.ts';

export const TaskReference = input({ id: idOf('work_items') });
export const TaskName = input({ id: NameInPath });

/** A filter by one value, or by several. */
const oneOrMore = <S extends z.ZodType>(schema: S) => z.union([schema, z.array(schema).min(1).max(100)]).optional();
/** An id that narrows a list, in which nothing is found by one that the caller does not see. */
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
  mine: z.boolean().optional().describe('Only those that the caller works on.'),
  milestone_id: oneOrMore(Narrowing),
  priority: oneOrMore(choice('low', 'medium', 'high', 'urgent')),
  is_overdue: z.boolean().optional(),
  due_date_from: Day.optional(),
  due_date_to: Day.optional(),
});
type TaskListRequest = z.output<typeof TaskListRequest>;

/** The parameter of the list grammar that says the same as a field of a body. */
function parameterOf(name: string, value: unknown): [string, string] {
  if (name.endsWith('_from')) return [`${name.slice(0, -'_from'.length)}[gte]`, String(value)];
  if (name.endsWith('_to')) return [`${name.slice(0, -'_to'.length)}[lte]`, String(value)];
  return Array.isArray(value) ? [`${name}[in]`, value.join(',')] : [name, String(value)];
}

/** A body as the list grammar has it. */
export const requestOf = (grammar: ListQuery, body: object): ListRequest =>
  grammar.parse(
    Object.fromEntries(
      Object.entries(body)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => parameterOf(name, value)),
    ),
  );

/** @param user_id of whom `mine` are */
export const taskRequestOf = ({ mine, ...body }: TaskListRequest, user_id: string): ListRequest =>
  requestOf(TaskFilter, { ...body, ...(mine && { assignee_id: user_id }) });
