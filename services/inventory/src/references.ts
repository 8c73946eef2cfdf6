/** Columns of inventory that store IDs of other services' records, and records of inventory that others refer to. */
import { ownedKind, referencesTo } from '@suite/chassis/visibility';
import type { Rpc } from './operations.ts';
import { assertUsableAccounts } from './products/accounts.ts';

const OWN = 'Own rows: the operation itself looks them up.';

export const references = [
  referencesTo<Rpc>('finance.customer', {
    async usable(rpc, customer_ids) {
      const { customers } = await rpc.finance.batchGetCustomers({ customer_ids });
      return customers.filter(({ active }) => active).map(({ customer_id }) => customer_id);
    },
    columns: { pos_orders: 'customer_id' },
  }),
  referencesTo('finance.gl_account', {
    checked_by: [assertUsableAccounts],
    columns: {
      products: ['income_account_id', 'expense_account_id', 'stock_account_id'],
      pos_order_lines: ['income_account_id', 'expense_account_id', 'stock_account_id'],
    },
    released: 'Accounts are archived, never deleted.',
  }),
  referencesTo('finance.sales_return', {
    checked_by: 'Finance events contain the IDs.',
    columns: { announced_goods: 'source_id' },
    released: 'Only drafts can be deleted, and drafts announce no goods.',
  }),
  // IDs in JSON have no foreign key.
  referencesTo('inventory.product', { checked_by: OWN, columns: { announced_goods: 'lines[].product_id' } }),
  referencesTo('inventory.tax', {
    checked_by: OWN,
    columns: { pos_orders: 'taxes[].id', pos_order_lines: 'taxes[].id', pos_refunds: 'taxes[].id' },
  }),
  referencesTo('inventory.warehouse', { checked_by: OWN, columns: { announced_goods: 'warehouse_id' } }),
  referencesTo('platform.user', {
    checked_by: 'The caller.',
    columns: { pos_orders: 'cashier_id' },
    released: 'A POS order stores the name of its cashier.',
  }),
];

const ARCHIVE = 'Archive it with `active: false`.';

export const owns = [
  ownedKind('inventory.product', { table: 'products', referrers: ['crm', 'finance'], instead: ARCHIVE }),
  ownedKind('inventory.tax', { table: 'taxes', referrers: ['crm', 'finance'], instead: ARCHIVE }),
  ownedKind('inventory.unit', { table: 'units', referrers: ['crm'], instead: 'Keep it: lines of documents name it.' }),
  ownedKind('inventory.warehouse', { table: 'warehouses', referrers: ['crm', 'finance'], instead: ARCHIVE }),
];
