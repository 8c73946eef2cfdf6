import { type Sql, sql } from '@suite/chassis';
import { currenciesWith, roundTo } from '@suite/money';

/** An amount rounded to the currency's minor unit, half away from zero. */
export const toMinorUnit = roundTo;

/** The same, for a computed column. */
export const roundedInSql = (amount: Sql, currency: Sql): Sql =>
  sql`round(${amount}, CASE WHEN ${currency} = ANY(${currenciesWith[0]}) THEN 0 WHEN ${currency} = ANY(${currenciesWith[3]}) THEN 3 ELSE 2 END)`;
