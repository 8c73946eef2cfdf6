/** Events: what people of the company, or some of them, come together for. */
import { can, created, idOf, ok, page, removed, signedIn } from '@suite/chassis';
import { sendCalendar } from '../calendar-files/calendar-file.ts';
import { AlreadyOver, eventStates } from '../notices/notice.rules.ts';
import { act, removeDraft } from '../notices/notice.ts';
import { command, query } from '../operations.ts';
import { eventFile } from './event-file.ts';
import { Event, EventChanges, EventFilter, EventInput, EventStatusChange } from './event.schema.ts';
import { changeEvent, createEvent, EventTooLong } from './event.ts';
import { listEvents, readEvent } from './event.view.ts';

export const list = query('GET /api/events', {
  summary: 'List events',
  description:
    'Who may write them sees all of them, others those to which an audience is invited that they belong to. `branch_id` and the like find those whose audience names it.',
  access: can('event.view'),
  query: EventFilter,
  reply: page(Event),
  handle: ({ db, caller, query }) => listEvents(db, caller, query),
});

export const show = query('GET /api/event/show/{id}', {
  summary: 'Get an event',
  description:
    'Employees look at those to which they are invited also without `event.view`. With `Accept: text/calendar` it is a file for a calendar program.',
  access: signedIn,
  params: { id: idOf('events') },
  reply: ok(Event),
  handle: ({ db, caller, params }) => readEvent(db, caller, params.id),
  formats: { ics: ({ record }) => Promise.resolve(sendCalendar(eventFile(record), 'event.ics')) },
});

export const create = command('POST /api/event/create', {
  summary: 'Create a draft event',
  description: 'For whoever belongs to one of the parts of its audience; for everybody without one.',
  access: can('event.create'),
  body: EventInput,
  reply: created(Event),
  faults: [EventTooLong],
  handle: ({ body, ...context }) => createEvent(context, body),
});

export const update = command('POST /api/event/update/{id}', {
  summary: 'Update an event',
  description: 'Who was invited is told by mail of another title, time or place; whoever it is new to is invited.',
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
    'Everybody in its audience is invited by mail, and told when it is cancelled. It is over when it has ended.',
  access: eventStates.can('publish', 'cancel', 'archive'),
  params: { id: idOf('events') },
  body: EventStatusChange,
  reply: ok(Event),
  faults: [AlreadyOver],
  async handle({ params, body, expect, ...context }) {
    await act(context, 'event', params.id, { action: body.action, expect });
    return await readEvent(context.db, context.caller, params.id);
  },
});

export const remove = command('DELETE /api/event/delete/{id}', {
  summary: 'Delete a draft event',
  description: 'What has been published is cancelled or archived instead.',
  access: eventStates.can('remove'),
  params: { id: idOf('events') },
  reply: removed,
  handle: ({ params, ...context }) => removeDraft(context, 'event', params.id),
});
