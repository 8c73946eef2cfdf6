/** Awards of employees. Public awards are visible to all employees. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed, anyUser } from '@suite/chassis/operations';
import { EmploymentEnded, OwnRecord } from '../../employment/employment/employment.rules.ts';
import { command, query } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import { changeAward, createAward, listAwards, listOwnAwards, readAward, removeAward } from './award.ts';
import { Award, AwardChanges, AwardFilter, AwardInput, OwnAwardFilter, PlainAward } from './award.schema.ts';
import { awardActions } from './award.rules.ts';

const ADDITION = 'The specification only lists HR records: without these, no records and no decisions would exist.';

const params = { id: idOf('awards') };

export const list = query('GET /api/awards', {
  summary: 'List awards',
  description: 'Returns the awards of the employees that you may see. Expand `employee` for the names.',
  access: can('award.view'),
  query: AwardFilter,
  reply: page(Award),
  handle: ({ query, ...context }) => listAwards(context, query),
});

export const own = query('GET /api/hrm/awards', {
  summary: 'List your awards and public awards',
  description: 'Returns your own awards and the public awards of all employees.',
  addition: 'Employees without permission to list records still see their own records, and no others.',
  access: employeesOnly,
  query: OwnAwardFilter,
  reply: page(Award),
  faults: [NotAnEmployee],
  handle: ({ query, ...context }) => listOwnAwards(context, query),
});

export const show = query('GET /api/award/show/{id}', {
  summary: 'Get an award',
  description: 'Returns an award. Requires `award.view`, except for your own and public awards.',
  addition: 'A user who gets the ID of a record, for example by e-mail, can view it without the list.',
  access: anyUser,
  params,
  reply: ok(Award),
  handle: ({ params: { id }, ...context }) => readAward(context, id),
});

export const create = command('POST /api/award/create', {
  summary: 'Create an award',
  description:
    'Creates an award for an employee. Public awards are visible to all employees. Returns `own_record` for an award to yourself.',
  addition: ADDITION,
  access: can('award.create'),
  body: AwardInput,
  reply: created(PlainAward),
  faults: [OwnRecord, EmploymentEnded],
  handle: ({ body, ...context }) => createAward(context, body),
});

export const update = command('POST /api/award/update/{id}', {
  summary: 'Update an award',
  description:
    'Updates type, date, title, gift or visibility of an award. The employee cannot change. Returns `own_record` for your own award.',
  addition: ADDITION,
  access: awardActions.can('update'),
  params,
  body: AwardChanges,
  reply: ok(PlainAward),
  faults: [OwnRecord],
  handle: ({ params: { id }, body, expect, ...context }) => changeAward(context, id, body, expect),
});

export const remove = command('DELETE /api/award/delete/{id}', {
  summary: 'Delete an award',
  description: 'Deletes an award. Returns `own_record` for your own award.',
  addition: ADDITION,
  access: awardActions.can('delete'),
  params,
  reply: removed,
  faults: [OwnRecord],
  handle: ({ params: { id }, ...context }) => removeAward(context, id),
});
