import { type Sql, sql } from '@suite/chassis';
import { Decimal } from 'decimal.js';

/**
 * The currencies whose minor unit is not a hundredth, as ISO 4217 says. Not asked of Intl: it knows what people write (no
 * decimals in forints), and a formatter for each currency of the world takes six megabytes.
 */
const WITHOUT = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ');
const WITH_THREE = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');

const decimalsOf = (currency: string): number =>
  WITHOUT.includes(currency) ? 0 : WITH_THREE.includes(currency) ? 3 : 2;

/** An amount rounded to the currency's minor unit, half away from zero. */
export const toMinorUnit = (amount: string, currency: string): string =>
  new Decimal(amount).toFixed(decimalsOf(currency), Decimal.ROUND_HALF_UP);

/** The same, for a computed column. */
export const roundedInSql = (amount: Sql, currency: Sql): Sql =>
  sql`round(${amount}, CASE WHEN ${currency} = ANY(${WITHOUT}) THEN 0 WHEN ${currency} = ANY(${WITH_THREE}) THEN 3 ELSE 2 END)`;
