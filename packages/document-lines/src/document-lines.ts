/**
 * Public API of document lines: the rules that quotes, orders, proposals, invoices and POS orders share. A line copies
 * its product and taxes from inventory when it is written, so that a document never changes with the catalogue. Each
 * service has the tables of its own documents. This package reads no tables.
 */
export { assertActive, assertKnown, catalogueRequest } from './catalogue.ts';
export {
  type DraftLine,
  toDraftLines,
  storedIds,
  type LineRules,
  productAccounts,
  productNames,
  taxSnapshot,
} from './draft-line.ts';
export { assertExact, exactAmount } from './exact-amount.ts';
export {
  conversionFields,
  ConversionInput,
  conversionRate,
  type ExchangeRate,
  exchangeRateOf,
  rateWarnings,
} from './exchange-rate.ts';
export { DraftInvoiceLine, fromDraftInvoice, toDraftInvoice } from './handover.ts';
export {
  priceFields,
  costField,
  documentDiscount,
  lineInput,
  type LineInput,
  linesInput,
  LINES_MAX,
  productFields,
  totalFields,
  TaxSnapshot,
} from './line.schema.ts';
export { roundToMinorUnit } from './rounded.ts';
export { asValidationError, computeTotals, type DocumentLineAmounts, printedAmounts } from './totals.ts';
