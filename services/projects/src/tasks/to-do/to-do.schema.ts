/** Schemas of the methods for platform's synchronisation with external to-do lists. */
import { choice, Id, LongText, Name, PlannedDay } from '@suite/chassis/fields';
import type { ChangeToDoTaskRequest } from '@suite/proto/projects/v1/projects';
import { UserRightsInput } from '@suite/user-copies';
import { z } from 'zod';

const MOST_USERS = 1_000;
const KNOWN_TASKS_MAX = 10_000;
const MARKS_MAX = 100;

export const MarksRequest = z.object({ user_ids: z.array(Id).max(MOST_USERS, `Send at most ${MOST_USERS} IDs.`) });

export const LinesRequest = z.object({
  rights: UserRightsInput,
  known_task_ids: z.array(Id).max(KNOWN_TASKS_MAX, `Send at most ${KNOWN_TASKS_MAX} IDs.`),
});

export const TasksRequest = z.object({
  rights: UserRightsInput,
  task_ids: z.array(Id).max(MARKS_MAX, `Send at most ${MARKS_MAX} IDs.`),
});

/** Fields that external to-do lists show. */
export const TO_DO_FIELDS = ['title', 'description', 'due_date', 'priority', 'group'] as const;
export type ToDoField = (typeof TO_DO_FIELDS)[number];

const none = z.literal('');

/** Fields of a change, with the same rules as in a request body. */
const Fields = z.object({
  title: Name.optional(),
  description: LongText.optional(),
  due_date: PlannedDay.or(none).optional(),
  priority: choice('low', 'medium', 'high', 'urgent').optional(),
  group: choice('unstarted', 'started', 'completed', 'cancelled').optional(),
});
export type ToDoFields = z.output<typeof Fields>;

/** Previous values of the fields. Any text is accepted. */
const PreviousFields = z.object(Object.fromEntries(TO_DO_FIELDS.map((name) => [name, z.string().optional()])));

export const ChangeRequest = z.object({
  idempotency_key: z.string().min(1, 'Send an idempotency key.').max(255),
  rights: UserRightsInput,
  task_id: Id,
  after: Fields.optional(),
  before: PreviousFields.optional(),
  changed_at: z.iso.datetime({ offset: true }).or(none),
  unassign: z.boolean(),
}) as unknown as z.ZodType<ToDoChange>;

/** Change of a task in an external to-do list. */
export interface ToDoChange extends Omit<ChangeToDoTaskRequest, 'after' | 'before'> {
  after: ToDoFields | undefined;
  before: Partial<Record<ToDoField, string>> | undefined;
}
