/** Support calendars: working hours and holidays in a time zone. SLA targets count working time. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { TargetOutOfReach } from './target-reach.rules.ts';
import { changeCalendar, createCalendar, removeCalendar } from './calendar.ts';
import { Calendar, CalendarChanges, CalendarFilter, CalendarInput } from './calendar.schema.ts';
import { calendarActions } from './calendar.rules.ts';

const ADDITION = 'SLA targets count business hours only.';

export const list = query('GET /api/support-ticket/calendars', {
  summary: 'List support calendars',
  description: 'Returns support calendars with time zone, working hours and holidays.',
  addition: ADDITION,
  access: can('workspace.update'),
  query: CalendarFilter,
  reply: page(Calendar),
  handle: ({ db, query }) => paginate(db, query, { table: 'calendars' }),
});

export const create = command('POST /api/support-ticket/calendar/store', {
  summary: 'Create a support calendar',
  description: 'Creates a calendar with working hours and holidays. SLA policies count time within these hours only.',
  addition: ADDITION,
  access: can('workspace.update'),
  body: CalendarInput,
  reply: created(Calendar),
  handle: ({ db, body }) => createCalendar(db, body),
});

export const update = command('POST /api/support-ticket/calendar/update/{id}', {
  summary: 'Update a support calendar',
  description:
    'Updates a calendar. Running SLA timers keep their hours until you apply the policy again. Returns `target_out_of_reach` if its hours cannot reach a target.',
  addition: ADDITION,
  access: calendarActions.can('update'),
  params: { id: idOf('calendars') },
  body: CalendarChanges,
  reply: ok(Calendar),
  faults: [TargetOutOfReach],
  handle: ({ db, params, body, expect }) => changeCalendar(db, params.id, body, expect),
});

export const remove = command('POST /api/support-ticket/calendar/delete/{id}', {
  summary: 'Delete a support calendar',
  description: 'Deletes a calendar. Returns 409 `in_use` if an SLA policy uses it.',
  addition: ADDITION,
  access: calendarActions.can('delete'),
  params: { id: idOf('calendars') },
  reply: removed,
  handle: ({ db, params }) => removeCalendar(db, params.id),
});
