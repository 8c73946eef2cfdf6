import fc from 'fast-check';
import {
  AmountRefused,
  type Discount,
  type DocumentLine,
  type DocumentTotals,
  documentTotals,
  type Tax,
  type TotalsInput,
} from '../src/money.ts';
import { formatUnits } from './properties.ts';

const DECIMALS = { JPY: 0, EUR: 2, KWD: 3 } as const;
type Code = keyof typeof DECIMALS;
export const decimalsOf = (currency: string): number => DECIMALS[currency as Code];

const amount = (most: bigint, decimals: number) => fc.bigInt(0n, most).map((units) => formatUnits(units, decimals));
const usualRates = fc.constantFrom('0', '5', '7', '9.975', '10', '19', '20', '100');
const rates = fc.oneof(usualRates, amount(30_000_000n, 6));

const percentTax = fc.record({
  name: fc.constant('Tax'),
  rate: rates,
  kind: fc.constant('percent' as const),
  inclusive: fc.boolean(),
  compound: fc.boolean(),
});
const fixedTax = fc.record({
  name: fc.constant('Deposit'),
  rate: fc.constantFrom('0', '0.004', '0.25'),
  kind: fc.constant('fixed' as const),
  inclusive: fc.boolean(),
  compound: fc.boolean(),
});
/** Up to four taxes. Every line has some of these taxes. */
const someTaxes = fc
  .array(fc.oneof({ weight: 4, arbitrary: percentTax }, { weight: 1, arbitrary: fixedTax }), { maxLength: 4 })
  .map((taxes) => taxes.map((tax, at): Tax => ({ id: `tax-${at}`, ...tax })));

const percent: fc.Arbitrary<Discount> = fc
  .oneof(fc.constantFrom('0', '10', '50', '100'), amount(100_000_000n, 6))
  .map((value) => ({ type: 'percent', value }));
const small: fc.Arbitrary<Discount> = fc.constantFrom('0', '1', '3').map((value) => ({ type: 'amount', value }));
const discounts = fc.option(fc.oneof(percent, small));

/** Prices, often small, because most rounding errors concern cents. */
const prices = fc.oneof(amount(300n, 4), amount(1_000n, 2), amount(10n ** 9n, 4));
const quantities = fc.oneof(
  fc.integer({ min: 1, max: 12 }).map(String),
  fc.bigInt(1n, 50_000_000n).map((units) => formatUnits(units, 6)),
);

/**
 * Any valid document, except that prices can be too small for their discount or fixed taxes. It has up to four lines,
 * in a currency of zero, two or three decimals.
 */
export const anyDocument: fc.Arbitrary<TotalsInput> = fc
  .record({ currency: fc.constantFrom<Code>('JPY', 'EUR', 'KWD'), taxes: someTaxes })
  .chain(({ currency, taxes }) =>
    fc.record({
      currency: fc.constant(currency),
      discount: discounts,
      lines: fc.array(
        fc.record<DocumentLine>({
          qty: quantities,
          unit_price: prices,
          discount: discounts,
          taxes: fc.shuffledSubarray(taxes),
        }),
        { maxLength: 4 },
      ),
    }),
  );

/** Returns the totals of a document. Skips a document whose deductions exceed a price. */
export function totalsOf(document: TotalsInput): DocumentTotals {
  try {
    return documentTotals(document);
  } catch (error) {
    fc.pre(!(error instanceof AmountRefused && /(discount\.value|\.taxes)$/.test(error.field)));
    throw error;
  }
}
