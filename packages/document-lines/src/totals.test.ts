import { describe, expect, test } from '@jest/globals';
import { documentTotals } from '@suite/money';
import { asValidationError, computeTotals, printedAmounts } from './document-lines.ts';

const vat = { id: 'VAT', name: 'VAT', rate: '20', kind: 'percent', inclusive: false, compound: false } as const;
const line = { qty: '2', unit_price: '50.00', discount: null, taxes: [vat] };

const errorsOf = (compute: () => unknown): unknown => {
  try {
    return compute();
  } catch (error) {
    return (error as { errors?: unknown }).errors ?? error;
  }
};

test('the totals of a document are the amounts computed from its lines', () => {
  const discount = { type: 'amount', value: '10.00' } as const;
  const lines = [line, { ...line, discount: { type: 'percent', value: '50' } as const }];
  const totals = computeTotals(lines, 'EUR', discount);
  expect(totals).toEqual(documentTotals({ currency: 'EUR', lines, discount }));
  expect(totals).toMatchObject({ subtotal: '200.00', discount_total: '60.00', net_total: '140.00', total: '168.00' });
});

describe('an invalid amount', () => {
  test.each([
    ['a repeated tax', { taxes: [vat, vat] }, 'lines.1.tax_ids', 'This line has the tax twice.'],
    ['a negative rate', { taxes: [{ ...vat, rate: '-1' }] }, 'lines.1.tax_ids', 'This must not be negative.'],
    [
      'a discount of the line',
      { discount: { type: 'percent', value: '101' } as const },
      'lines.1.discount.value',
      'The discount is more than what it is taken from.',
    ],
    [
      'the amount of the line',
      { unit_price: '999999999999999' },
      'lines.1',
      'The resulting amount is too large. Enter a smaller value.',
    ],
  ])('is rejected under the field of the body: %s', (_, wrong, field, message) => {
    const lines = [line, { ...line, ...wrong }];
    expect(errorsOf(() => computeTotals(lines, 'EUR', null))).toEqual({ [field]: [message] });
  });

  test('is rejected under the discount of the document', () => {
    const discount = { type: 'amount', value: '100.01' } as const;
    expect(errorsOf(() => computeTotals([line], 'EUR', discount))).toHaveProperty(['discount.value']);
  });
});

test('passes other errors and results unchanged', () => {
  const bug = new Error('A bug.');
  const broken = (): never => {
    throw bug;
  };
  expect(errorsOf(() => asValidationError(broken))).toBe(bug);
  expect(asValidationError(() => 7)).toBe(7);
});

test('prints each line with its amount before the document discount', () => {
  const { lines: figures } = computeTotals([line], 'EUR', { type: 'amount', value: '10.00' });
  expect(printedAmounts([{ name: 'Engine' }], figures, 'EUR')).toMatchObject({
    lines: [{ name: 'Engine', amount: '100.00' }],
    sums: { subtotal: '100.00', discount: '10.00', price: '90.00', total: '108.00', net: '90.00' },
  });
});
