import { AdjustmentRecorded } from '@suite/proto/inventory/v1/events';
import { isZero, roundTo } from '@suite/money';
import { booksOf } from '../accounts/books.ts';
import { openDay, postEntry } from '../ledger/journal.ts';
import { booked } from '../ledger/recipe.ts';
import { adjustmentSides } from '../ledger/recipes.ts';
import { on } from '../operations.ts';

/** Stock that was corrected by hand has its value in the books too; today, when the books are closed for its own day. */
export const bookAdjustment = on(AdjustmentRecorded, 'finance.book-adjustment', async ({ event, db }) => {
  const { base_currency, timezone } = await booksOf(db, null);
  const { adjustment_id: source_id, reason, business_date, stock_account_id } = event;
  const value = roundTo(event.value, base_currency);
  if (isZero(value)) return;
  const against = reason === 'opening' ? 'opening_equity' : 'stock_adjustment';
  const sides = adjustmentSides(value, against, stock_account_id ? { id: stock_account_id } : 'inventory');
  const date = await openDay(db, business_date, 'all', timezone);
  const more = { product_id: event.product_id, warehouse_id: event.warehouse_id };
  await postEntry(db, {
    ...{ date, scope: 'all', source_type: 'stock_adjustment', source_id, purpose: 'post' },
    narration: reason === 'opening' ? 'Stock when the books began' : 'Stock adjustment',
    lines: booked(
      sides.map((side) => ({ ...side, ...more })),
      { currency: base_currency, rate: '1', base_currency },
    ),
  });
});
