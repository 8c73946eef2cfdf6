/** Amounts that the database rounds. */
import { type Sql, sql } from '@suite/chassis/database';
import { currenciesWith } from '@suite/money';

/** Returns SQL that rounds an amount to the minor unit of its currency, half away from zero. */
export const roundToMinorUnit = (amount: Sql, currency: Sql): Sql => sql`
  round(${amount}, CASE WHEN ${currency} = ANY(${currenciesWith[0]}::text[]) THEN 0
    WHEN ${currency} = ANY(${currenciesWith[3]}::text[]) THEN 3 ELSE 2 END)`;
