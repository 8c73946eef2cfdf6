/** Fields of schemas: amounts, days, IDs, texts and their limits. */
export { formatAmount } from '../schema/amounts.ts';
export { Country, Locale } from '../schema/locale.ts';
export { BusinessDay, BusinessMoment, PlannedDay } from '../schema/business-day.ts';
export { singular } from '../schema/sentences.ts';
export { type ColumnOf, namesOf, type Tables } from '../schema/tables.ts';
export {
  BaseMoneyOut,
  choice,
  Color,
  Currency,
  Day,
  DecimalOut,
  Discount,
  Email,
  foreignId,
  Id,
  idCheckedBy,
  idOf,
  encrypted,
  inner,
  input,
  LongText,
  midnight,
  Money,
  MoneyOut,
  moneyOutIn,
  Name,
  OuterMoneyOut,
  Percentage,
  Phone,
  Qty,
  QtyOut,
  record,
  refTo,
  secret,
  ShortText,
  Time,
  Timestamp,
  Url,
  version,
  Zone,
} from '../schema/fields.ts';
export { DryRun } from '../http/dry-run.ts';
