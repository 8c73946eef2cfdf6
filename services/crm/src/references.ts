/** Columns of crm that store IDs of other services' records, and records of crm that other services reference. */
import { ownedKind, referencesTo } from '@suite/chassis/visibility';
import { fetchClients, fetchStaff } from '@suite/user-copies';
import { fetchCustomer } from './sales/references/customer.ts';
import { fetchChangedLines, fetchLines } from './sales/documents/lines.ts';
import { fetchAttendees } from './sales/meetings/attendees.ts';
import { fetchProducts } from './activities/products/product-operations.ts';
import { fetchWarehouse } from './sales/references/warehouses.ts';

const ERASED = "Deleting a user erases the copy's personal data. The copy remains as the author of old records.";

export const references = [
  referencesTo('finance.customer', {
    checked_by: [fetchCustomer],
    columns: {
      deals: 'customer_id',
      opportunities: 'customer_id',
      meetings: 'customer_id',
      quotes: 'customer_id',
      sales_orders: 'customer_id',
      proposals: 'customer_id',
    },
  }),
  referencesTo('finance.customer', {
    checked_by: 'Copy of the customers that finance returns.',
    columns: { customer_links: 'customer_id' },
    released: 'A link shows no record. It has no effect without documents of the customer.',
  }),
  referencesTo('finance.sales_invoice', {
    checked_by: 'Invoices are created through finance.',
    columns: { order_invoices: 'sales_invoice_id', proposals: 'invoice_id' },
    released: 'Only drafts can be deleted. The deletion event clears the columns.',
  }),
  referencesTo('inventory.product', {
    checked_by: [fetchLines, fetchChangedLines, fetchProducts],
    columns: {
      sales_lines: 'product_id',
      lead_products: 'product_id',
      deal_products: 'product_id',
      order_invoices: 'lines[].product_id',
    },
  }),
  referencesTo('inventory.tax', {
    checked_by: [fetchLines, fetchChangedLines],
    columns: {
      sales_lines: 'taxes[].id',
      quotes: 'taxes[].id',
      sales_orders: 'taxes[].id',
      proposals: 'taxes[].id',
    },
  }),
  referencesTo('inventory.unit', {
    checked_by: 'A line copies the unit of its product.',
    columns: { sales_lines: 'unit_id' },
  }),
  referencesTo('inventory.warehouse', { checked_by: [fetchWarehouse], columns: { sales_orders: 'warehouse_id' } }),
  referencesTo('platform.user', {
    checked_by: [fetchStaff, fetchClients, fetchAttendees],
    columns: { users: 'id', task_reminders: 'user_id', customer_links: 'user_id' },
    released: ERASED,
  }),
];

export const owns = [
  ownedKind('crm.deal', { table: 'deals', referrers: ['projects'], instead: 'Mark the deal as lost.' }),
];
