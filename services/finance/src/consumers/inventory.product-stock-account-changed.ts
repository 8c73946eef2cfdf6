import { isZero, roundTo } from '@suite/money';
import { ProductStockAccountChanged } from '@suite/proto/inventory/v1/events';
import { booksOf } from '../ledger/books/books.ts';
import { withPostableAccounts } from '../ledger/accounts/usable-accounts.ts';
import { openPostingDay, postEntry } from '../ledger/ledger/journal.ts';
import { accountOr, toBaseCurrency } from '../ledger/ledger/journal.rules.ts';
import { on } from '../operations.ts';
import { adjustmentLines } from '../ledger/stock/stock.rules.ts';

const stockAccount = (id: string) => ({
  income_account_id: null,
  expense_account_id: null,
  stock_account_id: id || null,
});

/** Transfers the stock value of a product to its new account. */
export const moveStockValue = on(ProductStockAccountChanged, 'finance.move-stock-value', async ({ event, db }) => {
  const { base_currency, timezone } = await booksOf(db, null);
  const { change_id: source_id, product_id, business_date, from_account_id, to_account_id } = event;
  const value = roundTo(event.value, base_currency);
  const { lines, note: replaced } = await withPostableAccounts(db, [
    stockAccount(from_account_id),
    stockAccount(to_account_id),
  ]);
  const [from, to] = lines.map(({ stock_account_id }) => stock_account_id);
  if (isZero(value) || from === to) return;
  const sides = adjustmentLines(value, accountOr(from!, 'inventory'), accountOr(to!, 'inventory'));
  const { date, note } = await openPostingDay(db, business_date, { scope: 'all', lines: sides }, timezone);
  await postEntry(db, {
    date,
    scope: 'all',
    source_type: 'stock_account_change',
    source_id,
    purpose: 'post',
    narration: `Stock on another account${note}${replaced}`,
    lines: toBaseCurrency(
      sides.map((side) => ({ ...side, product_id })),
      { currency: base_currency, rate: '1', base_currency },
    ),
  });
});
