/** Announcements for all or some employees, who may have to acknowledge them. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed, anyUser } from '@suite/chassis/operations';
import { AlreadyOver, AlreadyPublished, announcementStates } from '../notices/notice.rules.ts';
import { NoticeStatusChange } from '../notices/notice.schema.ts';
import { changeNoticeStatus, removeDraft } from '../notices/notice.ts';
import { command, query } from '../../operations.ts';
import {
  Announcement,
  AnnouncementChanges,
  AnnouncementDetails,
  AnnouncementFilter,
  AnnouncementInput,
} from './announcement.schema.ts';
import { changeAnnouncement, createAnnouncement } from './announcement.ts';
import { listAnnouncements, readAnnouncement } from './announcement.view.ts';

const ADDITION =
  'The specification only lists published records: without these, they could not be written, published and read in full.';

export const list = query('GET /api/announcements', {
  summary: 'List announcements',
  description:
    'Returns all announcements to users who may edit them, and published ones of their audience to others. `branch_id` and other audience filters select announcements for that audience.',
  access: can('announcement.view'),
  query: AnnouncementFilter,
  reply: page(Announcement),
  handle: ({ db, caller, query }) => listAnnouncements(db, caller, query),
});

export const show = query('GET /api/announcement/show/{id}', {
  summary: 'Get an announcement',
  description:
    'Returns an announcement. Employees of the audience can read published announcements without `announcement.view`.',
  addition: ADDITION,
  access: anyUser,
  params: { id: idOf('announcements') },
  reply: ok(AnnouncementDetails),
  handle: ({ db, caller, params }) => readAnnouncement(db, caller, params.id),
});

export const create = command('POST /api/announcement/create', {
  summary: 'Create a draft announcement',
  description:
    'Creates a draft for the members of the audience. An empty audience includes all employees. Nothing is sent before publication.',
  addition: ADDITION,
  access: can('announcement.create'),
  body: AnnouncementInput,
  reply: created(AnnouncementDetails),
  handle: ({ body, ...context }) => createAnnouncement(context, body),
});

export const update = command('POST /api/announcement/update/{id}', {
  summary: 'Update an announcement',
  description:
    'Updates a draft. For a published announcement, only end and audience can change: other fields return 409 `already_published`. New members of the audience are notified.',
  addition: ADDITION,
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
    'Publishes or archives an announcement. A published announcement is visible from `start` and sent by e-mail. With `requires_ack`, all members of the audience must acknowledge it, including later ones.',
  addition: ADDITION,
  access: announcementStates.can('publish', 'archive'),
  params: { id: idOf('announcements') },
  body: NoticeStatusChange,
  reply: ok(AnnouncementDetails),
  faults: [AlreadyOver],
  async handle({ params, body, expect, ...context }) {
    await changeNoticeStatus(context, 'announcement', params.id, { action: body.action, expect });
    return await readAnnouncement(context.db, context.caller, params.id);
  },
});

export const remove = command('DELETE /api/announcement/delete/{id}', {
  summary: 'Delete a draft announcement',
  description: 'Deletes a draft. Archive a published announcement instead.',
  addition: ADDITION,
  access: announcementStates.can('delete'),
  params: { id: idOf('announcements') },
  reply: removed,
  handle: ({ params, ...context }) => removeDraft(context, 'announcement', params.id),
});
