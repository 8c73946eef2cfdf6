/** Schemas of the products of a lead or a deal. */
import { Id, foreignId, input, Money, MoneyOut, Qty, QtyOut } from '@suite/chassis/fields';
import { z } from 'zod';

/** Product of a lead or a deal, at the price when it was assigned. */
export const AssignedProduct = z
  .object({ product_id: Id, name: z.string(), qty: QtyOut, price: MoneyOut })
  .meta({ id: 'AssignedProduct' });

const ProductAssignment = z
  .strictObject({
    product_id: foreignId('inventory.product'),
    qty: Qty.default('1'),
    price: Money.optional().describe('Price per unit. Defaults to the sale price.'),
  })
  .meta({ id: 'ProductAssignment' });

export const ProductAssignments = input({ products: z.array(ProductAssignment).min(1).max(50) });

export type ProductAssignment = z.output<typeof ProductAssignment>;
