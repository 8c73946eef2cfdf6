import { expect, test } from '@jest/globals';
import type { Discount } from '@suite/chassis/fields';
import { computeTotals, type TaxSnapshot } from '@suite/document-lines';
import { sum } from '@suite/money';
import fc from 'fast-check';
import type { DraftLine } from '../documents/lines.ts';
import { type AgreedLine, type BilledPart, isZeroQty, remainderOf } from './agreed-part.rules.ts';
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
      // Fixed discount of a third of the price.
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

/** Creates an agreed order. */
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

/** Computes the invoice for a quantity of each line, after other invoices. */
function bill(
  order: ReturnType<typeof agree>,
  others: readonly Invoice[],
  qtyOf: (at: number, left: string) => string,
  price: (agreed: string) => string = (agreed) => agreed,
) {
  const { agreed, discount } = order;
  const parts = others.flat();
  const remainders = new Map(
    agreed.map((line) => [line.id, remainderOf(line, parts, { currency: CURRENCY, header: discount })]),
  );
  const lines = agreed.flatMap((line, at) => {
    const qty = qtyOf(at, remainders.get(line.id)!.qty);
    const { id: source_id, figures: _, ...copied } = { ...line, unit_price: price(line.unit_price) };
    const terms = { price: copied.unit_price === line.unit_price, discount: true, taxes: true };
    return isZeroQty(qty)
      ? []
      : [{ ...(copied as unknown as DraftLine), source_id, source_type: 'sales_order', qty, terms }];
  });
  const { header, rows } = agreedTotals({ currency: CURRENCY, lines, remainders, discount: { agreed: discount } });
  const exceeds = rows.some(({ agreed, agreed_terms }) => agreed_terms && !agreed);
  const invoice = rows.map(({ line, figures, agreed_terms }): BilledPart => {
    const { gross, discount: line_discount, header_discount, taxes: levied } = figures;
    return {
      source_id: line.source_id!,
      qty: line.qty,
      agreed_terms,
      gross,
      line_discount,
      header_discount,
      taxes: levied,
    };
  });
  return { invoice, header, exceeds, figures: rows.map(({ figures }) => figures) };
}

/** Expects that invoices add up to their order. */
function expectWhole({ totals }: ReturnType<typeof agree>, live: readonly Pick<ReturnType<typeof bill>, 'header'>[]) {
  const names = ['subtotal', 'discount_total', 'net_total', 'tax_total', 'total'] as const;
  const added = names.map((name) =>
    sum(
      live.map(({ header }) => header[name]),
      CURRENCY,
    ),
  );
  expect(added).toEqual(names.map((name) => totals[name]));
}

test('invoices add up to their order, in any parts and after cancellations', () => {
  fc.assert(
    fc.property(anyOrder, ({ lines, off, steps }) => {
      const order = agree(lines, off);
      let live: { invoice: Invoice; header: ReturnType<typeof bill>['header'] }[] = [];
      for (const { shares, cancel } of steps) {
        const next = bill(
          order,
          live.map(({ invoice }) => invoice),
          (at, left) => String(Math.min(Number(left), shares[at]!)),
        );
        const negative = next.figures.flatMap(({ gross, net, tax: levied, total }) => [gross, net, levied, total]);
        expect(negative.filter((figure) => figure.startsWith('-'))).toEqual([]);
        if (next.invoice.length > 0) live.push(next);
        if (cancel) live = live.slice(1);
      }
      const last = bill(
        order,
        live.map(({ invoice }) => invoice),
        (_, left) => left,
      );
      if (last.invoice.length > 0) live.push(last);
      expectWhole(order, live);
    }),
    { numRuns: 300 },
  );
});

/** Creates a draft of an order, changes a draft (also beyond what remains, or its price), or deletes one. */
const anyStep = fc.record({
  at: fc.nat(4),
  shares: fc.array(fc.integer({ min: 0, max: 14 }), { minLength: 4, maxLength: 4 }),
  does: fc.constantFrom('create', 'change', 'change', 'price', 'delete'),
});
const historyOf = (line: typeof anyLine) =>
  fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    off: fc.constantFrom<'none' | 'amount' | 'percent'>('none', 'amount', 'percent'),
    steps: fc.array(anyStep, { maxLength: 8 }),
  });
// The cents that rounding can add to several drafts are less than a unit costs.
const costly = anyLine.map((line) => ({ ...line, unit_price: (Number(line.unit_price) + 5).toFixed(3) }));

type DraftInvoice = ReturnType<typeof bill> & { changed: boolean };
type DraftStep = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;
const partsOf = (live: readonly DraftInvoice[]) => live.map(({ invoice }) => invoice);

/** Returns the drafts of an order after a history of changes. */
function history(order: ReturnType<typeof agree>, steps: readonly DraftStep[]) {
  let live: DraftInvoice[] = [];
  for (const { at, shares, does } of steps) {
    const others = live.filter((_, place) => does === 'create' || place !== at);
    const changed = does === 'price';
    const qtyOf = (line: number, left: string) =>
      String(does === 'create' ? Math.min(Number(left), shares[line]!) : shares[line]!);
    const isMade = does === 'create' || (does !== 'delete' && live[at] !== undefined);
    const price = (agreed: string) => (changed ? (Number(agreed) * 1.1).toFixed(2) : agreed);
    const made = isMade ? bill(order, partsOf(others), qtyOf, price) : undefined;
    live = made && made.invoice.length > 0 ? [...others, { ...made, changed }] : others;
  }
  return live;
}

const hasExcess = ({ agreed }: ReturnType<typeof agree>, live: readonly DraftInvoice[]) =>
  agreed.some(({ id, qty }) => {
    const parts = partsOf(live)
      .flat()
      .filter(({ source_id }) => source_id === id);
    return parts.reduce((all, part) => all + Number(part.qty), 0) > Number(qty);
  });

test('invoices of an order add up to it after larger or repriced drafts were deleted', () => {
  fc.assert(
    fc.property(historyOf(costly), ({ lines, off, steps }) => {
      const order = agree(lines, off);
      let live: DraftInvoice[] = history(order, steps).filter(({ changed }) => !changed);
      while (hasExcess(order, live)) live = live.slice(1);
      // Posting computes again what exceeded the order when it was written.
      for (const [place, draft] of live.entries()) {
        if (!draft.exceeds) continue;
        const qty = (line: number) => draft.invoice.find(({ source_id }) => source_id === `L${line}`)?.qty ?? '0';
        live[place] = { ...bill(order, partsOf(live.toSpliced(place, 1)), qty), changed: false };
      }
      const rest = bill(order, partsOf(live), (_, left) => left);
      expectWhole(order, [...live, rest]);
    }),
    { numRuns: 1_000 },
  );
});

test('no amount of an invoice is negative, even with small prices in its order', () => {
  fc.assert(
    fc.property(historyOf(anyLine), ({ lines, off, steps }) => {
      const order = agree(lines, off);
      const live = history(order, steps);
      const rest = bill(order, partsOf(live), (_, left) => left);
      const figures = [...live, rest].flatMap((one) => one.figures);
      const amounts = figures.flatMap(({ gross, net, tax: levied, total }) => [gross, net, levied, total]);
      expect(amounts.filter((amount) => amount.startsWith('-'))).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

/** Returns an untaxed line. */
const screws = (fields: Pick<DraftLine, 'qty' | 'unit_price'> & Partial<DraftLine>): DraftLine => ({
  product_id: null,
  product_name: null,
  sku: null,
  unit_name: null,
  description: 'Screw',
  discount: null,
  taxes: [],
  tracked: false,
  income_account_id: null,
  expense_account_id: null,
  stock_account_id: null,
  ...fields,
});

test('the remaining fixed discount is limited to the remaining price below a cent', () => {
  // 4 × 0.0024 is 0.01, which the discount makes free. Two screws cost 0.00.
  const discount: Discount = { type: 'amount', value: '0.01' };
  const order = agree([screws({ qty: '4', unit_price: '0.0024', discount })], 'none');
  const dearer = (others: readonly Invoice[]) =>
    bill(
      order,
      others,
      () => '1',
      () => '0.5',
    ).invoice;
  const first = dearer([]);
  const { header, invoice } = bill(order, [first, dearer([first])], (_, left) => left);
  expect(invoice).toMatchObject([{ qty: '2', gross: '0.00', line_discount: '0.00' }]);
  expect(header).toMatchObject({ discount_total: '0.00', total: '0.00' });
});

test('the remaining fixed discount is at most the remaining price after a larger draft', () => {
  const order = agree(
    [screws({ qty: '10', unit_price: '5.001' }), screws({ qty: '1', unit_price: '5.001' })],
    'amount',
  );
  const first = bill(order, [], (at) => ['6', '1'][at]!).invoice;
  const exceeding = bill(order, [first], (at) => ['9', '11'][at]!);
  expect(exceeding.exceeds).toBe(true);
  const changed = bill(order, [exceeding.invoice], (at) => ['1', '0'][at]!);
  expect(changed.header).toMatchObject({ subtotal: '5.00', discount_total: '5.00', total: '0.00' });
  expect(changed.exceeds).toBe(true);
});
