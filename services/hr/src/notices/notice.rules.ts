/** Notices: their states, and what may still be changed about them. */
import { type Caller, fault, invalid, lifecycle } from '@suite/chassis';

/** The schedule that shows what is published from its first day on, and ends it after its last one. */
export const KEEP_NOTICES = 'hr.keep-notices';

export const AlreadyPublished = fault(
  409,
  'already_published',
  'A published document cannot be changed. Archive it and publish another one.',
);
export const AlreadyOver = fault(
  409,
  'already_over',
  'The end has passed, so nobody would see this. Change the end first.',
);

/** The states of announcements and documents, which are alike. */
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
        expire: { by: KEEP_NOTICES },
        remove: { permission: `${noun}.delete`, in: ['draft'] },
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
      expire: { by: KEEP_NOTICES },
      remove: { permission: 'event.delete', in: ['draft'] },
    },
  },
);

/** Refuses days in the wrong order. @throws a 422 that names the field */
export function assertSpan({ start, end }: { start?: string | null; end?: string | null }): void {
  if (start && end && end < start) throw invalid('end', 'The last day must not be before the first day.');
}

interface Lifecycle {
  assertFits(action: 'update', row: object, caller: Caller): void;
}

/**
 * Refuses a change for which it is too late: once people have been shown something, only its end and its audience change.
 * @param given the names of the fields that a body says
 */
export function assertOpen(states: Lifecycle, row: { status: string }, caller: Caller, given: readonly string[]): void {
  states.assertFits('update', row, caller);
  const fixed = given.filter((name) => name !== 'end' && name !== 'audience');
  if (row.status !== 'draft' && fixed.length > 0) throw AlreadyPublished({ fields: fixed });
}
