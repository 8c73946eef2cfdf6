/** Announcements: news for the people of the company, or for some of them, which may have to be acknowledged. */
import { can, created, idOf, ok, page, removed, signedIn } from '@suite/chassis';
import { AlreadyOver, AlreadyPublished, announcementStates } from '../notices/notice.rules.ts';
import { NoticeStatusChange } from '../notices/notice.schema.ts';
import { act, removeDraft } from '../notices/notice.ts';
import { command, query } from '../operations.ts';
import {
  Announcement,
  AnnouncementChanges,
  AnnouncementDetails,
  AnnouncementFilter,
  AnnouncementInput,
} from './announcement.schema.ts';
import { changeAnnouncement, createAnnouncement } from './announcement.ts';
import { listAnnouncements, readAnnouncement } from './announcement.view.ts';

export const list = query('GET /api/announcements', {
  summary: 'List announcements',
  description:
    'Who may write them sees all of them, others those that are shown to an audience to which they belong. `branch_id` and the like find those whose audience names it.',
  access: can('announcement.view'),
  query: AnnouncementFilter,
  reply: page(Announcement),
  handle: ({ db, caller, query }) => listAnnouncements(db, caller, query),
});

export const show = query('GET /api/announcement/show/{id}', {
  summary: 'Get an announcement',
  description: 'Employees read what is shown to them also without `announcement.view`.',
  access: signedIn,
  params: { id: idOf('announcements') },
  reply: ok(AnnouncementDetails),
  handle: ({ db, caller, params }) => readAnnouncement(db, caller, params.id),
});

export const create = command('POST /api/announcement/create', {
  summary: 'Create a draft announcement',
  description: 'For whoever belongs to one of the parts of its audience; for everybody without one.',
  access: can('announcement.create'),
  body: AnnouncementInput,
  reply: created(AnnouncementDetails),
  handle: ({ body, ...context }) => createAnnouncement(context, body),
});

export const update = command('POST /api/announcement/update/{id}', {
  summary: 'Update an announcement',
  description: 'Of one that is published only the end and the audience; whoever it is new to is told.',
  access: announcementStates.can('update'),
  params: { id: idOf('announcements') },
  body: AnnouncementChanges,
  reply: ok(AnnouncementDetails),
  faults: [AlreadyPublished],
  handle: ({ params, body, expect, ...context }) => changeAnnouncement(context, params.id, body, expect),
});

export const updateStatus = command('POST /api/announcement/update-status/{id}', {
  summary: 'Publish or archive an announcement',
  description:
    'What is published is shown from its `start` on, told by mail and, where it asks for that, to be acknowledged by everybody in its audience, also by those who join it later.',
  access: announcementStates.can('publish', 'archive'),
  params: { id: idOf('announcements') },
  body: NoticeStatusChange,
  reply: ok(AnnouncementDetails),
  faults: [AlreadyOver],
  async handle({ params, body, expect, ...context }) {
    await act(context, 'announcement', params.id, { action: body.action, expect });
    return await readAnnouncement(context.db, context.caller, params.id);
  },
});

export const remove = command('DELETE /api/announcement/delete/{id}', {
  summary: 'Delete a draft announcement',
  description: 'What has been published is archived instead.',
  access: announcementStates.can('remove'),
  params: { id: idOf('announcements') },
  reply: removed,
  handle: ({ params, ...context }) => removeDraft(context, 'announcement', params.id),
});
