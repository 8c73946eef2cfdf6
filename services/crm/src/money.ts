import { type Sql, sql } from '@suite/chassis';
import { Decimal } from 'decimal.js';

const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** An amount rounded to the currency's minor unit, half away from zero. */
export const toMinorUnit = (amount: string, currency: string): string =>
  new Decimal(amount).toFixed(decimalsOf(currency), Decimal.ROUND_HALF_UP);

const currencies = Intl.supportedValuesOf('currency');
const without = currencies.filter((currency) => decimalsOf(currency) === 0);
const withThree = currencies.filter((currency) => decimalsOf(currency) === 3);

/** The same, for a computed column. */
export const roundedInSql = (amount: Sql, currency: Sql): Sql =>
  sql`round(${amount}, CASE WHEN ${currency} = ANY(${without}) THEN 0 WHEN ${currency} = ANY(${withThree}) THEN 3 ELSE 2 END)`;
