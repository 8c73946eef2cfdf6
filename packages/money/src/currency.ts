import { AmountRefused } from './amount-refused.ts';

/**
 * Currencies whose minor unit is not a hundredth, by number of decimals (ISO 4217, list one). Intl is not used: it
 * reflects common usage (no decimals in forints), and a formatter for each currency takes six megabytes. Chosen: the
 * two units of account with four decimals (CLF, UYW) count as hundredths, because they are not used for payments.
 */
export const currenciesWith: Readonly<Record<0 | 3, readonly string[]>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
  3: 'BHD IQD JOD KWD LYD OMR TND'.split(' '),
};

const decimals = new Map<string, 0 | 3>([
  ...currenciesWith[0].map((code) => [code, 0] as const),
  ...currenciesWith[3].map((code) => [code, 3] as const),
]);

/**
 * Returns the number of decimals of a currency: 2 for EUR, 0 for JPY, 3 for KWD.
 * @throws AmountRefused (`currency`) if it is not three upper-case characters A-Z. Whether it exists is not checked
 */
export function minorUnits(currency: string): 0 | 2 | 3 {
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw new AmountRefused('currency', 'Enter a three-character currency code (ISO 4217).');
  }
  return decimals.get(currency) ?? 2;
}
