/** The leave calendar for colleagues, and for calendar apps by link. */
import { sql } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import {
  created,
  ok,
  withCheck,
  openByLinkOf,
  page,
  removed,
  anyUser,
  anyStaff,
  fileOf,
} from '@suite/chassis/operations';
import { lookUpWorkspace } from '@suite/user-copies';
import { sendCalendar } from '../../time/calendars/calendar-file.ts';
import { command, query } from '../../operations.ts';
import { NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import { leaveFile } from './leave-file.ts';
import { assertLinkOpen, calendarOfLink, makeLink, revokeLink } from './calendar-link.ts';
import { assertColleague, leaveCalendar } from './leave-calendar.ts';
import {
  LeaveCalendar,
  LeaveCalendarLink,
  LeaveCalendarQuery,
  LinkFilter,
  LinkInput,
  LinkToken,
  LinkWithToken,
} from './leave-calendar.schema.ts';

const ADDITION = 'Users who plan work must see absences, in their own calendar program, too.';

export const show = query('GET /api/leave-calendar', {
  summary: 'Get the leave calendar',
  description:
    'Returns who is on leave in the period. Employees see names and days. Approvers also see the leave type.',
  addition: ADDITION,
  access: withCheck(anyStaff, assertColleague),
  query: LeaveCalendarQuery,
  reply: ok(LeaveCalendar),
  faults: [NotAnEmployee],
  handle: ({ db, caller, query: request }) => leaveCalendar(db, caller, request),
  formats: {
    ics: ({ record: { entries, from } }) =>
      Promise.resolve(
        sendCalendar(
          leaveFile(
            'Leave',
            entries.map((entry) => ({ ...entry, updated_at: from })),
          ),
          'leave.ics',
        ),
      ),
  },
});

export const byLink = query('GET /api/leave-calendar/{token}', {
  summary: 'Get the shared leave calendar',
  description:
    'Returns an iCalendar feed from last month to next year, with names only. The link stops working when its creator may no longer read the calendar.',
  addition: ADDITION,
  access: openByLinkOf(lookUpWorkspace),
  params: { token: LinkToken },
  reply: fileOf('text/calendar'),
  prepare: ({ caller, read, rpcIn, params }) => assertLinkOpen({ caller, read, rpcIn }, params.token),
  handle: async ({ db, caller, params }) => sendCalendar(await calendarOfLink(db, caller, params.token), 'leave.ics'),
});

export const listLinks = query('GET /api/leave-calendar-links', {
  summary: 'List your links to the leave calendar',
  description: 'Returns your own links with name and department. Tokens are not shown again.',
  addition: ADDITION,
  access: anyStaff,
  query: LinkFilter,
  reply: page(LeaveCalendarLink),
  handle: ({ db, caller, query: request }) =>
    paginate(db, request, {
      table: 'leave_calendar_links',
      where: sql`leave_calendar_links.user_id = ${caller.user_id}::uuid`,
    }),
});

export const createLink = command('POST /api/leave-calendar-link/create', {
  summary: 'Create a link to the leave calendar',
  description:
    'Creates a link for calendar apps, for all employees or one department. Returns its token once. The link needs no other authentication.',
  addition: ADDITION,
  access: withCheck(anyStaff, assertColleague),
  body: LinkInput,
  reply: created(LinkWithToken),
  faults: [NotAnEmployee],
  handle: ({ db, caller, body }) => makeLink(db, caller, body),
});

export const removeLink = command('DELETE /api/leave-calendar-link/delete/{id}', {
  summary: 'Revoke a link to the leave calendar',
  description: 'Revokes one of your links: it stops working immediately. Links of other users return 404.',
  addition: ADDITION,
  access: anyUser,
  params: { id: idOf('leave_calendar_links') },
  reply: removed,
  handle: ({ db, caller, params }) => revokeLink(db, caller, params.id),
});
