/** Copies of other services' records. */
import { copyOf, recordCopies } from '@suite/chassis/visibility';
import { userCopies } from '@suite/user-copies';

export const copies = [
  userCopies,
  copyOf('finance.customer', {
    table: 'tickets',
    id: 'customer_id',
    columns: { name: 'customer_name' },
    positions: [],
    is_complete: false,
    written_by_requests: true,
    counted: 'given.deleted_at IS NULL',
  }),
];

/** Copies of finance's customers that requests write. */
export const customerCopies = recordCopies(copies, 'finance.customer', 'customer_id');
