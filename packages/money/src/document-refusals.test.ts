import { expect, test } from '@jest/globals';
import { refusedField } from '../test/refused.ts';
import { tax } from '../test/taxes.ts';
import { type DocumentLine, documentTotals, type Tax } from './money.ts';

const good: DocumentLine = { qty: '1', unit_price: '10.00', taxes: [] };
const refusedLine = (line: Partial<DocumentLine>, currency = 'EUR') =>
  refusedField(() => documentTotals({ currency, lines: [good, { ...good, ...line }] }));
const refusedTaxes = (...taxes: Tax[]) => refusedLine({ taxes });

test('a quantity must be positive with at most six decimals', () => {
  for (const qty of ['0', '0.000', '-1', '1.0000001', '', 'one']) {
    expect(refusedLine({ qty })).toBe('lines.1.qty');
  }
  expect(() => documentTotals({ currency: 'EUR', lines: [{ ...good, qty: '0' }] })).toThrow('more than zero');
  expect(documentTotals({ currency: 'EUR', lines: [{ ...good, qty: '0.000001' }] }).total).toBe('0.00');
});

test('requires a non-negative price with at most four decimals in any currency', () => {
  for (const unit_price of ['-0.01', '1.00001', 'ten']) {
    expect(refusedLine({ unit_price })).toBe('lines.1.unit_price');
  }
  expect(() => documentTotals({ currency: 'EUR', lines: [{ ...good, unit_price: '-1' }] })).toThrow('negative');
  expect(documentTotals({ currency: 'JPY', lines: [{ ...good, unit_price: '9.9999' }] }).total).toBe('10');
});

test('a discount must not exceed the amount', () => {
  expect(refusedLine({ discount: { type: 'amount', value: '10.01' } })).toBe('lines.1.discount.value');
  expect(refusedLine({ discount: { type: 'percent', value: '100.000001' } })).toBe('lines.1.discount.value');
  const document = { currency: 'EUR', lines: [good, good] };
  expect(refusedField(() => documentTotals({ ...document, discount: { type: 'amount', value: '20.01' } }))).toBe(
    'discount.value',
  );
  expect(refusedField(() => documentTotals({ ...document, discount: { type: 'percent', value: '101' } }))).toBe(
    'discount.value',
  );
  expect(() => documentTotals({ ...document, discount: { type: 'amount', value: '20.01' } })).toThrow(
    'The discount is more than what it is taken from.',
  );
  expect(documentTotals({ ...document, discount: { type: 'amount', value: '20' } }).total).toBe('0.00');
});

test('a discount must not be negative, with the decimals of its currency', () => {
  expect(refusedLine({ discount: { type: 'amount', value: '-1' } })).toBe('lines.1.discount.value');
  expect(refusedLine({ discount: { type: 'amount', value: '1.001' } })).toBe('lines.1.discount.value');
  expect(refusedLine({ discount: { type: 'amount', value: '1.5' } }, 'JPY')).toBe('lines.1.discount.value');
  expect(refusedLine({ discount: { type: 'percent', value: '1.0000001' } })).toBe('lines.1.discount.value');
  const fine = documentTotals({
    currency: 'EUR',
    lines: [{ ...good, discount: { type: 'percent', value: '1.000001' } }],
  });
  expect(fine.total).toBe('9.90');
});

test('rejects a discount on an empty document', () => {
  const call = () => documentTotals({ currency: 'EUR', lines: [], discount: { type: 'amount', value: '0.01' } });
  expect(refusedField(call)).toBe('discount.value');
});

test('a rate must not be negative and has at most six decimals', () => {
  expect(refusedTaxes(tax(), tax({ id: 'other', rate: '-1' }))).toBe('lines.1.taxes.1.rate');
  expect(refusedTaxes(tax({ rate: '1.0000001' }))).toBe('lines.1.taxes.0.rate');
  expect(refusedTaxes(tax({ rate: '1.0000001', kind: 'fixed' }))).toBe('lines.1.taxes.0.rate');
  const fine = tax({ rate: '0.000001' });
  expect(documentTotals({ currency: 'EUR', lines: [{ ...good, taxes: [fine] }] }).tax_total).toBe('0.00');
});

test('rejects a duplicate tax on a line', () => {
  expect(refusedTaxes(tax(), tax({ id: 'other' }), tax())).toBe('lines.1.taxes.2.id');
  const twice = () => documentTotals({ currency: 'EUR', lines: [{ ...good, taxes: [tax(), tax()] }] });
  expect(twice).toThrow('This line has the tax twice.');
});

test('a tax must be the same in every line', () => {
  const others: Partial<Tax>[] = [{ rate: '19' }, { kind: 'fixed' }, { inclusive: true }, { compound: true }];
  for (const change of others) {
    const lines = [
      { ...good, taxes: [tax()] },
      { ...good, taxes: [tax(change)] },
    ];
    expect(refusedField(() => documentTotals({ currency: 'EUR', lines }))).toBe('lines.1.taxes.0.id');
    expect(() => documentTotals({ currency: 'EUR', lines })).toThrow('Another line has this tax with another rate.');
  }
  const lines = ['20', '20.00'].map((rate) => ({ ...good, taxes: [tax({ rate })] }));
  expect(documentTotals({ currency: 'EUR', lines }).taxes).toHaveLength(1);
});

test('fixed inclusive taxes must not exceed the price', () => {
  const deposit = tax({ kind: 'fixed', rate: '10.000001', inclusive: true });
  expect(refusedTaxes(deposit)).toBe('lines.1.taxes');
  expect(() => documentTotals({ currency: 'EUR', lines: [{ ...good, taxes: [deposit] }] })).toThrow(
    'The fixed taxes are more than the price that includes them.',
  );
  const onTop = { ...deposit, inclusive: false };
  expect(documentTotals({ currency: 'EUR', lines: [{ ...good, taxes: [onTop] }] }).total).toBe('20.00');
});

test('rejects a value that is too large for an amount', () => {
  const half = { ...good, unit_price: '500000000000000' };
  const document = (...lines: DocumentLine[]) => refusedField(() => documentTotals({ currency: 'EUR', lines }));
  expect(document({ ...half, qty: '2' })).toBe('lines.0');
  expect(document(half, half)).toBe('lines');
  expect(document({ ...half, taxes: [tax({ rate: '100' })] })).toBe('lines');
  expect(() => documentTotals({ currency: 'EUR', lines: [half, half] })).toThrow('amount is too large');
  const free = { ...half, discount: { type: 'percent', value: '100' } as const };
  expect(document(free, free)).toBe('lines');
  const most = { ...good, unit_price: '999999999999999.99' };
  expect(documentTotals({ currency: 'EUR', lines: [most] }).total).toBe('999999999999999.99');
});

test('requires three upper-case characters A-Z for a currency', () => {
  expect(refusedField(() => documentTotals({ currency: 'euro', lines: [] }))).toBe('currency');
});
