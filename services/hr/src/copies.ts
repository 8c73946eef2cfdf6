/** Copies of other services' records. */
import { copyOf } from '@suite/chassis/visibility';
import { userCopies } from '@suite/user-copies';

export const copies = [
  userCopies,
  copyOf('platform.workspace', {
    table: 'settings',
    id: 'workspace_id',
    columns: { timezone: 'timezone', currency: 'currency' },
    positions: ['workspace_version'],
    is_complete: false,
  }),
  copyOf('projects.time', {
    table: 'project_times',
    id: 'id',
    columns: { user_id: 'user_id', local_date: 'local_date', seconds: 'seconds', approved: 'approved' },
    positions: ['as_of'],
    is_complete: false,
  }),
];
