/** Columns of platform that store IDs of other services' records. */
import { referencesTo } from '@suite/chassis/visibility';

const LINK = {
  checked_by: 'The link is set in the linked record.',
  released: 'The ID gives no access. It describes the account, and is deleted with it.',
};

export const references = [
  referencesTo('finance.customer', { ...LINK, columns: { users: 'customer_id' } }),
  referencesTo('finance.vendor', { ...LINK, columns: { users: 'vendor_id' } }),
  referencesTo('hr.employee', { ...LINK, columns: { users: 'employee_id' } }),
  referencesTo('projects.task', {
    checked_by: 'The synchronisation of to-do lists provides the IDs.',
    columns: { todo_items: 'task_id' },
    released: 'The next synchronisation removes the entry.',
  }),
];
