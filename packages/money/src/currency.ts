import { AmountRefused } from './refusal.ts';

/**
 * The currencies whose minor unit is not a hundredth, by its number of decimals (ISO 4217, list one). Not asked of Intl:
 * it knows what people write (no decimals in forints), and a formatter for each currency of the world takes six megabytes.
 * Chosen: the two units of account with four decimals (CLF, UYW) count as hundredths, since nobody pays in them.
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
 * How many decimals an amount of a currency has: 2 for EUR, 0 for JPY, 3 for KWD.
 * @throws AmountRefused (`currency`) when it is not written as three capital letters; whether it exists is not checked
 */
export function minorUnits(currency: string): 0 | 2 | 3 {
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw new AmountRefused('currency', 'Enter a three-letter currency code (ISO 4217).');
  }
  return decimals.get(currency) ?? 2;
}
