import { AdjustmentRecorded } from '@suite/proto/inventory/v1/events';
import { isZero, roundTo } from '@suite/money';
import { booksOf } from '../ledger/books/books.ts';
import { withPostableAccounts } from '../ledger/accounts/usable-accounts.ts';
import { openPostingDay, postEntry } from '../ledger/ledger/journal.ts';
import { accountOr, toBaseCurrency } from '../ledger/ledger/journal.rules.ts';
import { on } from '../operations.ts';
import { adjustmentLines } from '../ledger/stock/stock.rules.ts';

/** Posts the value of a manual stock adjustment. If its day is locked, posts it on the first open day. */
export const bookAdjustment = on(AdjustmentRecorded, 'finance.book-adjustment', async ({ event, db }) => {
  const { base_currency, timezone } = await booksOf(db, null);
  const { adjustment_id: source_id, reason, business_date, stock_account_id } = event;
  const value = roundTo(event.value, base_currency);
  if (isZero(value)) return;
  const contraAccount = reason === 'opening' ? 'opening_equity' : 'stock_adjustment';
  const own = { income_account_id: null, expense_account_id: null, stock_account_id: stock_account_id || null };
  const {
    lines: [usable],
    note: replaced,
  } = await withPostableAccounts(db, [own]);
  const sides = adjustmentLines(value, contraAccount, accountOr(usable!.stock_account_id, 'inventory'));
  const { date, note } = await openPostingDay(db, business_date, { scope: 'all', lines: sides }, timezone);
  const more = { product_id: event.product_id, warehouse_id: event.warehouse_id };
  await postEntry(db, {
    date,
    scope: 'all',
    source_type: 'stock_adjustment',
    source_id,
    purpose: 'post',
    narration: `${reason === 'opening' ? 'Stock when the books began' : 'Stock adjustment'}${note}${replaced}`,
    lines: toBaseCurrency(
      sides.map((side) => ({ ...side, ...more })),
      { currency: base_currency, rate: '1', base_currency },
    ),
  });
});
