/** Types of records whose history users can read. */
import { recordTypes } from '@suite/chassis/service';
import { Category } from './catalogue/category.schema.ts';
import { Tax } from './catalogue/tax.schema.ts';
import { Unit } from './catalogue/unit.schema.ts';
import { PosOrder } from './pos/pos-order.schema.ts';
import { Product } from './products/product.schema.ts';
import { Transfer } from './transfers/transfer.schema.ts';
import { Warehouse } from './warehouses/warehouse.schema.ts';

export const records = recordTypes('inventory', {
  product: { table: 'products', schema: Product, permissions: ['product.view'], module: 'products' },
  category: { table: 'categories', schema: Category, permissions: ['category.view'], module: 'products' },
  tax: { table: 'taxes', schema: Tax, permissions: ['tax.view'], module: 'products' },
  unit: { table: 'units', schema: Unit, permissions: ['unit.view'], module: 'products' },
  warehouse: { table: 'warehouses', schema: Warehouse, permissions: ['warehouse.view'], module: 'warehouse' },
  transfer: { table: 'transfers', schema: Transfer, permissions: ['transfer.view'], module: 'warehouse' },
  pos_order: { table: 'pos_orders', schema: PosOrder, permissions: ['pos_order.view'], module: 'pos' },
});
