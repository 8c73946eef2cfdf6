/**
 * Public exports of money, which computes every amount of documents, returns and journals. Amounts are decimal strings.
 * No function waits, reads or stores.
 */
export {
  compare,
  hoursOf,
  isOverPrecise,
  isZero,
  priceOfTime,
  roundTo,
  subtract,
  sum,
  formatWithDecimals,
} from './amount.ts';
export { currenciesWith, minorUnits } from './currency.ts';
export { type Discount, type DocumentLine, documentTotals, type DocumentTotals, type TotalsInput } from './document.ts';
export { journalToBase, toBase } from './exchange.ts';
export { type LineAmounts, type DocumentSums, sumLines, type TaxAmount } from './line-amounts.ts';
export { partOfLine, portion, type PortionProgress } from './portion.ts';
export { printedTotals, type PrintedTotals } from './printed.ts';
export { AmountRefused } from './amount-refused.ts';
export { spread } from './spread.ts';
export type { Tax } from './tax.ts';
