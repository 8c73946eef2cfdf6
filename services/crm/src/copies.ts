/** Copies of other services' records. */
import { copyOf, recordCopies } from '@suite/chassis/visibility';
import { userCopies } from '@suite/user-copies';

/** Declares the names of customers in a table. Documents keep the name at the time of writing instead. */
const customerName = (table: string) =>
  copyOf('finance.customer', {
    table,
    id: 'customer_id',
    columns: { name: 'customer_name' },
    positions: [],
    is_complete: false,
    written_by_requests: true,
  });

export const copies = [
  userCopies,
  copyOf('finance.customer', {
    table: 'customer_links',
    id: 'customer_id',
    columns: { user_id: 'user_id' },
    positions: ['known_version'],
    is_complete: false,
    outlives_record: true,
  }),
  customerName('deals'),
  customerName('opportunities'),
  customerName('meetings'),
];

/** Copies of finance's customers that requests write. */
export const customerCopies = recordCopies(copies, 'finance.customer', 'customer_id');
