/** Taxable bases of documents, by tax and rate. Includes zero rates and the untaxed part. */
import { isZero, sum, toBase } from '@suite/money';

/** Tax of a line at the time of writing. */
export interface TaxedAmount {
  id: string;
  name?: string;
  kind?: string;
  rate?: string;
  base?: string;
  amount: string;
}

/** Taxable base and tax, in the currency of the document. */
export interface TaxBase {
  /** Tax. Null for the untaxed part. */
  tax_id: string | null;
  name: string | null;
  kind: string | null;
  rate: string | null;
  base: string;
  tax: string;
}

/** Taxable base and tax in base currency, as stored with an entry. */
export interface PostedTax extends TaxBase {
  side: 'output' | 'input';
}

/** Returns the base and the amount of each tax and rate of a document, and of its untaxed lines. */
export function taxBases(
  lines: readonly { net: string; taxes: readonly TaxedAmount[] }[],
  currency: string,
): TaxBase[] {
  const levied = Map.groupBy(
    lines.flatMap(({ taxes }) => taxes),
    ({ id, rate = '' }) => `${id} ${rate}`,
  );
  const total = (amounts: readonly (string | undefined)[]) =>
    sum(
      amounts.map((amount) => amount ?? '0'),
      currency,
    );
  const bases = [...levied.values()].map((group) => {
    const { id: tax_id, name = null, kind = null, rate = null } = group[0]!;
    return {
      tax_id,
      name,
      kind,
      rate,
      base: total(group.map(({ base }) => base)),
      tax: total(group.map(({ amount }) => amount)),
    };
  });
  const untaxed = total(lines.filter(({ taxes }) => taxes.length === 0).map(({ net }) => net));
  return isZero(untaxed) ? bases : [...bases, untaxedBase(untaxed)];
}

/** Returns the untaxed part of a document. */
export const untaxedBase = (base: string): TaxBase => ({
  tax_id: null,
  name: null,
  kind: 'exempt',
  rate: null,
  base,
  tax: '0',
});

/**
 * Converts taxable bases for an entry. Each tax equals its journal line, to the last cent.
 * @param sign -1 for returns
 */
export function postedTaxes(
  bases: readonly TaxBase[],
  side: PostedTax['side'],
  sign: 1 | -1,
  { currency, rate, base_currency }: { currency: string; rate: string; base_currency: string },
): PostedTax[] {
  const inBase = (amount: string) => {
    const value = currency === base_currency ? amount : toBase(amount, rate, base_currency);
    return sign === 1 || isZero(value) ? value : negate(value);
  };
  return bases.map((one) => ({ ...one, side, base: inBase(one.base), tax: inBase(one.tax) }));
}

const negate = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`);
