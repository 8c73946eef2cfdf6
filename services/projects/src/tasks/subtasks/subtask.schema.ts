import { Day, Id, input, Name, PlannedDay, version } from '@suite/chassis/fields';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { subtaskActions } from './subtask.rules.ts';

/** Checklist entry of a task. */
export const Subtask = z
  .object({
    id: Id,
    name: z.string(),
    done: z.boolean(),
    due: Day.nullable(),
    position: z.int().describe('Zero-based position without gaps.'),
    version: z.int(),
    allowed_actions: Actions(subtaskActions),
  })
  .meta({ id: 'Subtask' });

const Position = z.int().min(0).max(1_000).optional();
export const SubtaskInput = input({ name: Name, due: PlannedDay.nullish(), position: Position });
export const SubtaskChanges = input({
  name: Name.optional(),
  done: z.boolean().optional(),
  due: PlannedDay.nullish(),
  position: Position,
  version,
});
export type SubtaskInput = z.output<typeof SubtaskInput>;
export type SubtaskChanges = z.output<typeof SubtaskChanges>;
