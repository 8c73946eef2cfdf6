/** Taxable bases of documents: what each tax at each rate was levied on, zero rates included, and the untaxed part. */
import { isZero, sum, toBase } from '@suite/money';

/** A tax of a line, as it was when the line was written. */
export interface LineTax {
  id: string;
  name?: string;
  kind?: string;
  rate?: string;
  base?: string;
  amount: string;
}

/** A taxable base and its tax, in the currency of the document. */
export interface TaxBase {
  /** Null for the untaxed part. */
  tax_id: string | null;
  name: string | null;
  kind: string | null;
  rate: string | null;
  base: string;
  tax: string;
}

/** A taxable base and its tax in base currency, as an entry keeps them. */
export interface PostedTax extends TaxBase {
  side: 'output' | 'input';
}

/** The base and the tax of each tax and rate over a document, and of its untaxed lines. */
export function taxBases(lines: readonly { net: string; taxes: readonly LineTax[] }[], currency: string): TaxBase[] {
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

/** The untaxed part of a document. */
export const untaxedBase = (base: string): TaxBase => ({
  tax_id: null,
  name: null,
  kind: 'exempt',
  rate: null,
  base,
  tax: '0',
});

/**
 * Taxable bases as an entry keeps them. The tax of each is what its line in the journal has, to the last cent.
 * @param sign -1 for what is returned
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
