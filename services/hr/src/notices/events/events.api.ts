/** Company events for all or some employees. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed, anyUser } from '@suite/chassis/operations';
import { sendCalendar } from '../../time/calendars/calendar-file.ts';
import { AlreadyOver, eventStates } from '../notices/notice.rules.ts';
import { changeNoticeStatus, removeDraft } from '../notices/notice.ts';
import { command, query } from '../../operations.ts';
import { eventFile } from './event-file.ts';
import { Event, EventChanges, EventFilter, EventInput, EventStatusChange } from './event.schema.ts';
import { changeEvent, createEvent, EventTooLong } from './event.ts';
import { listEvents, readEvent } from './event.view.ts';

const ADDITION =
  'The specification only lists published records: without these, they could not be written, published and read in full.';

export const list = query('GET /api/events', {
  summary: 'List events',
  description:
    'Returns all events to users who may edit them, and published ones of their audience to others. `branch_id` and other audience filters select events for that audience.',
  access: can('event.view'),
  query: EventFilter,
  reply: page(Event),
  handle: ({ db, caller, query }) => listEvents(db, caller, query),
});

export const show = query('GET /api/event/show/{id}', {
  summary: 'Get an event',
  description:
    'Returns an event. Invited employees can read it without `event.view`. Send `Accept: text/calendar` to get a calendar file.',
  addition: ADDITION,
  access: anyUser,
  params: { id: idOf('events') },
  reply: ok(Event),
  handle: ({ db, caller, params }) => readEvent(db, caller, params.id),
  formats: { ics: ({ record }) => Promise.resolve(sendCalendar(eventFile(record), 'event.ics')) },
});

export const create = command('POST /api/event/create', {
  summary: 'Create a draft event',
  description:
    'Creates a draft for the members of the audience. An empty audience includes all employees. Nothing is sent before publication.',
  addition: ADDITION,
  access: can('event.create'),
  body: EventInput,
  reply: created(Event),
  faults: [EventTooLong],
  handle: ({ body, ...context }) => createEvent(context, body),
});

export const update = command('POST /api/event/update/{id}', {
  summary: 'Update an event',
  description:
    'Updates an event. Invited employees receive an e-mail about a new title, time or place. New members of the audience receive an invitation.',
  addition: ADDITION,
  access: eventStates.can('update'),
  params: { id: idOf('events') },
  body: EventChanges,
  reply: ok(Event),
  faults: [EventTooLong],
  handle: ({ params, body, expect, ...context }) => changeEvent(context, params.id, body, expect),
});

export const updateStatus = command('POST /api/event/update-status/{id}', {
  summary: 'Publish, cancel or archive an event',
  description:
    'Publishes, cancels or archives an event. Publication invites the audience by e-mail, and cancellation notifies them. Returns `already_over` for an event in the past.',
  addition: ADDITION,
  access: eventStates.can('publish', 'cancel', 'archive'),
  params: { id: idOf('events') },
  body: EventStatusChange,
  reply: ok(Event),
  faults: [AlreadyOver],
  async handle({ params, body, expect, ...context }) {
    await changeNoticeStatus(context, 'event', params.id, { action: body.action, expect });
    return await readEvent(context.db, context.caller, params.id);
  },
});

export const remove = command('DELETE /api/event/delete/{id}', {
  summary: 'Delete a draft event',
  description: 'Deletes a draft. Cancel or archive a published event instead.',
  addition: ADDITION,
  access: eventStates.can('delete'),
  params: { id: idOf('events') },
  reply: removed,
  handle: ({ params, ...context }) => removeDraft(context, 'event', params.id),
});
