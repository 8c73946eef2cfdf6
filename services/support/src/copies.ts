/** Copies of other services' records. */
import { copyOf } from '@suite/chassis/visibility';
import { userCopies } from '@suite/user-copies';

export const copies = [
  userCopies,
  copyOf('finance.customer', {
    table: 'tickets',
    id: 'customer_id',
    columns: { name: 'customer_name' },
    positions: [],
    is_complete: false,
    counted: 'given.deleted_at IS NULL',
  }),
];
