/** Notices: their statuses and allowed changes. */
import { fault, invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { lifecycle } from '@suite/chassis/operations';

/** Schedule that shows published notices from their first day and ends them after their last day. */
export const NOTICE_SCHEDULE = 'hr.keep-notices';

export const AlreadyPublished = fault(
  409,
  'already_published',
  'A published document cannot be changed. Archive it and publish another one.',
);
export const AlreadyOver = fault(409, 'already_over', 'The end date is in the past. Change the end date first.');

/** Returns the states of announcements and documents, which are identical. */
export const noticeStates = <const Noun extends 'announcement' | 'hrm_document'>(noun: Noun) =>
  lifecycle(
    noun,
    {
      draft: { publish: 'published' },
      published: { archive: 'archived', expire: 'expired' },
      expired: { archive: 'archived' },
      archived: {},
    },
    {
      owner: 'created_by',
      actions: {
        update: { permission: `${noun}.update`, in: ['draft', 'published'] },
        publish: `${noun}.update`,
        archive: `${noun}.update`,
        expire: { by: NOTICE_SCHEDULE },
        delete: { permission: `${noun}.delete`, in: ['draft'] },
      },
    },
  );

export const announcementStates = noticeStates('announcement');
export const documentStates = noticeStates('hrm_document');

export const eventStates = lifecycle(
  'event',
  {
    draft: { publish: 'published', cancel: 'cancelled' },
    published: { cancel: 'cancelled', archive: 'archived', expire: 'expired' },
    expired: { archive: 'archived' },
    cancelled: { archive: 'archived' },
    archived: {},
  },
  {
    owner: 'created_by',
    actions: {
      update: { permission: 'event.update', in: ['draft', 'published'] },
      publish: 'event.update',
      cancel: 'event.update',
      archive: 'event.update',
      expire: { by: NOTICE_SCHEDULE },
      delete: { permission: 'event.delete', in: ['draft'] },
    },
  },
);

/** Rejects days in the wrong order. @throws a 422 fault that names the field */
export function assertNoticeSpan({ start, end }: { start?: string | null; end?: string | null }): void {
  if (start && end && end < start) throw invalid('end', 'The last day must not be before the first day.');
}

interface Lifecycle {
  assertFits(action: 'update', row: object, caller: Caller): void;
}

/**
 * Rejects late changes. Once employees have seen a notice, only its end and audience can change.
 * @param given names of the fields in the request body
 */
export function assertNoticeOpen(
  states: Lifecycle,
  row: { status: string },
  caller: Caller,
  given: readonly string[],
): void {
  states.assertFits('update', row, caller);
  const fixed = given.filter((name) => name !== 'end' && name !== 'audience');
  if (row.status !== 'draft' && fixed.length > 0) throw AlreadyPublished({ fields: fixed });
}
