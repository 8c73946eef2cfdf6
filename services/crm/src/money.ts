import { invalid, type Sql, sql } from '@suite/chassis';
import { currenciesWith, isOverPrecise, roundTo } from '@suite/money';

/** An amount rounded to the currency's minor unit, half away from zero. */
export const toMinorUnit = roundTo;

/** An amount of a currency, with all of its decimals. @throws a 422 for more decimals than the currency has: none is dropped */
export function exactAmount(amount: string, currency: string, field: string): string {
  if (isOverPrecise(amount, currency)) throw invalid(field, `This has more decimals than ${currency}.`);
  return roundTo(amount, currency);
}

/** The same, for a computed column. */
export const roundedInSql = (amount: Sql, currency: Sql): Sql =>
  sql`round(${amount}, CASE WHEN ${currency} = ANY(${currenciesWith[0]}) THEN 0 WHEN ${currency} = ANY(${currenciesWith[3]}) THEN 3 ELSE 2 END)`;
