/** The published fields of projects' records, and its copies of other services' records. */
import { copyOf, publishedKind, recordCopies } from '@suite/chassis/visibility';
import { userCopies } from '@suite/user-copies';

export const publishes = [
  publishedKind('projects.time', {
    table: 'time_entries',
    fields: {
      user_id: 'given.user_id',
      local_date: 'given.local_date',
      seconds: 'given.duration_seconds',
      approved: 'TRUE',
    },
    ended: "given.status NOT IN ('approved', 'invoiced')",
    gone: { approved: false },
  }),
];

export const copies = [
  userCopies,
  copyOf('platform.workspace', {
    table: 'settings',
    id: 'workspace_id',
    columns: { timezone: 'timezone' },
    positions: ['workspace_version'],
    is_complete: false,
  }),
  copyOf('finance.customer', {
    table: 'projects',
    id: 'customer_id',
    columns: { name: 'customer_name' },
    positions: [],
    is_complete: false,
    written_by_requests: true,
  }),
  copyOf('finance.expense', {
    table: 'project_expenses',
    id: 'id',
    columns: {
      project_id: 'project_id',
      date: 'date',
      net: 'net',
      currency: 'currency',
      rate: 'rate',
      reversed: 'reversed',
    },
    positions: [],
    is_complete: false,
  }),
];

/** Copies of finance's customers that requests write. */
export const customerCopies = recordCopies(copies, 'finance.customer', 'customer_id');
