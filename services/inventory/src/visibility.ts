import { allUsers, follows, hidden, ownedBy, staffOnly, visibility } from '@suite/chassis/visibility';

/** Visibility of goods. Inner fields of a product are hidden from clients and vendors. */
export const visibilityRules = [
  ...allUsers('products', 'product_taxes', 'categories', 'units', 'taxes'),
  ...staffOnly('warehouses', 'stock_levels', 'stock_movements', 'stock_adjustments', 'reservations'),
  ...staffOnly('transfers', 'transfer_lines', 'announced_goods'),
  visibility('pos_orders', { noun: 'pos_order', gated: false, limited: ownedBy('cashier_id') }),
  ...['pos_order_lines', 'pos_payments', 'pos_refunds'].map((table) => follows(table, { pos_order_id: 'pos_orders' })),
  follows('pos_refund_lines', { pos_refund_id: 'pos_refunds' }),
  ...hidden('discarded_files', 'number_counters'),
];
