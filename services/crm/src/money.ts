import { type Sql, sql } from '@suite/chassis/database';
import { currenciesWith, roundTo } from '@suite/money';

/** Rounds an amount to the currency's minor unit, half away from zero. */
export const toMinorUnit = roundTo;

/** Returns SQL that rounds an amount to the currency's minor unit. */
export const roundedInSql = (amount: Sql, currency: Sql): Sql =>
  sql`round(${amount}, CASE WHEN ${currency} = ANY(${currenciesWith[0]}) THEN 0 WHEN ${currency} = ANY(${currenciesWith[3]}) THEN 3 ELSE 2 END)`;
