/** The columns of platform that store IDs of other services' records. */
import { referencesTo } from '@suite/chassis';

const LINK = {
  checked_by: 'The link is set at the linked record.',
  released: 'The ID gives no access. It describes the account, and ends with it.',
};

export const references = [
  referencesTo('finance.customer', { ...LINK, columns: { users: 'customer_id' } }),
  referencesTo('finance.vendor', { ...LINK, columns: { users: 'vendor_id' } }),
  referencesTo('hr.employee', { ...LINK, columns: { users: 'employee_id' } }),
  referencesTo('projects.task', {
    checked_by: 'The synchronization of to-do lists names them.',
    columns: { todo_items: 'task_id' },
    released: 'The next synchronization removes the entry.',
  }),
];
