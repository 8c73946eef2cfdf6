import { Day, idCheckedBy, Id, input } from '@suite/chassis/fields';
import { z } from 'zod';

/** Colleague who decides for an absent employee. */
export const Deputy = z
  .object({ id: Id, employee_id: Id, deputy_id: Id, user_id: Id, name: z.string(), from: Day, to: Day })
  .meta({ id: 'Deputy' });

export const DeputyInput = input({
  user_id: idCheckedBy('hr: a current employee')
    .nullish()
    .describe('ID of the user who decides. Omit it for no deputy on these days.'),
  from: Day,
  to: Day,
});

/** Deputies of an employee, from today on. */
export const Deputies = z.object({ deputies: z.array(Deputy) }).meta({ id: 'Deputies' });

export type DeputyInput = z.output<typeof DeputyInput>;
export type Deputy = z.output<typeof Deputy>;
