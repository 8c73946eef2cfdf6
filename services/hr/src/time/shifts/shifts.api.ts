/** Shifts define working hours in a time zone. Each day is counted by the rules of that day. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { changeShift, createShift, listShifts, removeShift } from './shift.ts';
import { ShiftWithoutLength, shiftActions } from './shift.rules.ts';
import { Shift, ShiftChanges, ShiftFilter, ShiftInput } from './shift.schema.ts';

const ADDITION =
  'The specification only reads employment and working-time data: without these, a company could not set up its own.';

export const list = query('GET /api/shifts', {
  summary: 'List shifts',
  description:
    'Returns shifts with their current working hours, active and inactive. `is_default` marks the shift of employees without their own.',
  access: can('shift.view'),
  query: ShiftFilter,
  reply: page(Shift),
  handle: ({ db, query }) => listShifts(db, query),
});

export const create = command('POST /api/shift/create', {
  summary: 'Create a shift',
  description:
    'Creates a shift with its working hours. Names are unique. A new default shift replaces the previous default. Returns `shift_without_length` for a shift without working time.',
  addition: ADDITION,
  access: can('shift.create'),
  body: ShiftInput,
  reply: created(Shift),
  faults: [ShiftWithoutLength],
  handle: ({ body, caller, ...context }) => createShift(context, caller, body),
});

export const update = command('POST /api/shift/update/{id}', {
  summary: 'Update a shift',
  description:
    'Updates a shift from today on. Earlier days keep the previous working hours. Returns `shift_without_length` for a shift without working time.',
  addition: ADDITION,
  access: shiftActions.can('update'),
  params: { id: idOf('shifts') },
  body: ShiftChanges,
  reply: ok(Shift),
  faults: [ShiftWithoutLength],
  handle: ({ params, body, expect, caller, ...context }) =>
    changeShift(context, caller, params.id, { patch: body, expect }),
});

export const remove = command('DELETE /api/shift/delete/{id}', {
  summary: 'Delete a shift',
  description:
    'Deletes a shift. Returns 409 `in_use` if it is the default shift, or if employees have or had it. Deactivate it instead.',
  addition: ADDITION,
  access: shiftActions.can('delete'),
  params: { id: idOf('shifts') },
  reply: removed,
  handle: ({ db, params }) => removeShift(db, params.id),
});
