import { expect, test } from '@jest/globals';
import type { Discount } from '@suite/chassis';
import { computeTotals, type TaxSnapshot } from '@suite/document-lines';
import { sum } from '@suite/money';
import fc from 'fast-check';
import type { DraftLine } from '../documents/lines.ts';
import { type AgreedLine, type BilledPart, isNothing, remainderOf } from './agreed-part.rules.ts';
import { agreedTotals } from './agreed-totals.rules.ts';

const CURRENCY = 'EUR';
const decimal = (max: number, decimals: number) =>
  fc.integer({ min: 1, max }).map((units) => (units / 10 ** decimals).toFixed(decimals));
const percent = fc.integer({ min: 0, max: 100 }).map((value): Discount => ({ type: 'percent', value: String(value) }));
const tax = (rate: string, inclusive: boolean): TaxSnapshot => ({
  id: `${rate} ${inclusive}`,
  name: 'VAT',
  rate,
  kind: 'percent',
  inclusive,
  compound: false,
});
const taxes = fc.constantFrom<TaxSnapshot[]>(
  [],
  [tax('19', false)],
  [tax('7', true)],
  [tax('5', false), tax('2.5', false)],
);

const anyLine = fc
  .record({
    qty: fc.integer({ min: 1, max: 12 }),
    unit_price: decimal(200_000, 3),
    taxes,
    off: fc.oneof(fc.constant(null), percent, fc.constant('some' as const)),
  })
  .map(
    ({ qty, unit_price, taxes: levied, off }): DraftLine => ({
      product_id: null,
      product_name: null,
      sku: null,
      unit_name: null,
      description: 'Line',
      qty: String(qty),
      unit_price,
      // A fixed discount of a third of the price.
      discount: off === 'some' ? { type: 'amount', value: ((qty * Number(unit_price)) / 3).toFixed(2) } : off,
      taxes: levied,
      tracked: false,
      income_account_id: null,
      expense_account_id: null,
      stock_account_id: null,
    }),
  );

const anyOrder = fc.record({
  lines: fc.array(anyLine, { minLength: 1, maxLength: 4 }),
  off: fc.constantFrom<'none' | 'amount' | 'percent'>('none', 'amount', 'percent'),
  steps: fc.array(
    fc.record({
      shares: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 4, maxLength: 4 }),
      cancel: fc.boolean(),
    }),
    { maxLength: 6 },
  ),
});

/** An order as it was agreed. */
function agree(lines: readonly DraftLine[], off: string) {
  const plain = computeTotals(lines, CURRENCY, null);
  const discount: Discount | null =
    off === 'none'
      ? null
      : off === 'percent'
        ? { type: 'percent', value: '12.5' }
        : { type: 'amount', value: (Number(plain.net_total) / 7).toFixed(2) };
  const totals = computeTotals(lines, CURRENCY, discount);
  const agreed = lines.map((line, at): AgreedLine => ({ ...line, id: `L${at}`, figures: totals.lines[at]! }));
  return { agreed, discount, totals };
}

type Invoice = BilledPart[];

/** The invoice of so much of each line, after other invoices. */
function billed(
  order: ReturnType<typeof agree>,
  others: readonly Invoice[],
  wanted: (at: number, left: string) => string,
) {
  const { agreed, discount } = order;
  const parts = others.flat();
  const remainders = new Map(
    agreed.map((line) => [line.id, remainderOf(line, parts, { currency: CURRENCY, header: discount })]),
  );
  const terms = { price: true, discount: true, taxes: true };
  const lines = agreed.flatMap((line, at) => {
    const qty = wanted(at, remainders.get(line.id)!.qty);
    const { id: source_id, figures: _, ...copied } = line;
    return isNothing(qty)
      ? []
      : [{ ...(copied as unknown as DraftLine), source_id, source_type: 'sales_order', qty, terms }];
  });
  const { header, rows } = agreedTotals({ currency: CURRENCY, lines, remainders, discount: { agreed: discount } });
  const invoice = rows.map(({ line, figures, agreed: isAgreed }): BilledPart => {
    const { gross, discount: line_discount, header_discount, taxes: levied } = figures;
    return {
      source_id: line.source_id!,
      qty: line.qty,
      agreed: isAgreed,
      gross,
      line_discount,
      header_discount,
      taxes: levied,
    };
  });
  return { invoice, header, figures: rows.map(({ figures }) => figures) };
}

test('invoices of an order add up to it exactly, in any parts and after any cancellations', () => {
  fc.assert(
    fc.property(anyOrder, ({ lines, off, steps }) => {
      const order = agree(lines, off);
      let live: { invoice: Invoice; header: ReturnType<typeof billed>['header'] }[] = [];
      for (const { shares, cancel } of steps) {
        const next = billed(
          order,
          live.map(({ invoice }) => invoice),
          (at, left) => String(Math.min(Number(left), shares[at]!)),
        );
        const negative = next.figures.flatMap(({ gross, net, tax: levied, total }) => [gross, net, levied, total]);
        expect(negative.filter((figure) => figure.startsWith('-'))).toEqual([]);
        if (next.invoice.length > 0) live.push(next);
        if (cancel) live = live.slice(1);
      }
      const last = billed(
        order,
        live.map(({ invoice }) => invoice),
        (_, left) => left,
      );
      if (last.invoice.length > 0) live.push(last);
      const added = (name: 'subtotal' | 'discount_total' | 'net_total' | 'tax_total' | 'total') =>
        sum(
          live.map(({ header }) => header[name]),
          CURRENCY,
        );
      const { subtotal, discount_total, net_total, tax_total, total } = order.totals;
      expect([
        added('subtotal'),
        added('discount_total'),
        added('net_total'),
        added('tax_total'),
        added('total'),
      ]).toEqual([subtotal, discount_total, net_total, tax_total, total]);
    }),
    { numRuns: 300 },
  );
});
