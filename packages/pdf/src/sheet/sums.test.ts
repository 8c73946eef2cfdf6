import { afterAll, describe, expect, test } from '@jest/globals';
import { wordsOn } from '@suite/testing';
import { engine, letter, vat } from '../../test/letter.ts';
import { printing } from '../../test/printing.ts';

const { print, pages, first, close } = printing();
afterAll(close);

const GREATEST = '999999999999999.999';
const RIGHT_EDGE = 595.28 - 50;
const reduced = { subtotal: '100.00', discount: '10.00', price: '90.00', net: '90.00' };

describe('PDF totals', () => {
  const line = { ...engine, qty: '1', unit_price: '100.00', discount: null, taxes: [], amount: '100.00' };

  test('show a discount on the whole document below undiscounted lines', async () => {
    const sums = { ...reduced, added: [], included: [], total: '90.00' };
    const discount = { type: 'percent', value: '10' } as const;
    const text = await first(letter({ lines: [line], sums, discount, settlement: [] }));
    expect(text).toMatch(/1 pcs 100\.00 100\.00\nSubtotal 100\.00\nDiscount 10 % −10\.00\nTotal 90\.00 EUR/);
  });

  test('show taxes added to the price', async () => {
    const sums = { ...reduced, added: [{ ...vat, base: '90.00', amount: '18.00' }], included: [], total: '108.00' };
    const text = await first(letter({ lines: [line], sums, settlement: [] }));
    expect(text).toMatch(
      /Subtotal 100\.00\nDiscount −10\.00\nNet 90\.00\nVAT 20 % on 90\.00 18\.00\nTotal 108\.00 EUR/,
    );
  });

  test('list taxes included in the price below the total, and do not add them', async () => {
    const included = [{ ...vat, base: '75.00', amount: '15.00' }];
    const sums = { ...reduced, added: [], included, net: '75.00', total: '90.00' };
    const text = await first(letter({ lines: [line], sums, settlement: [] }));
    expect(text).toMatch(
      /Subtotal 100\.00\nDiscount −10\.00\nTotal 90\.00 EUR\nIncludes VAT 20 % on 75\.00 15\.00\nNet, excluding tax 75\.00/,
    );
  });

  test('show both kinds of taxes together', async () => {
    const tax = { base: '75.00', amount: '15.00' };
    const sums = { ...reduced, added: [{ ...vat, ...tax }], included: [{ ...vat, ...tax }], total: '105.00' };
    const text = await first(letter({ lines: [line], sums, settlement: [] }));
    expect(text).toMatch(/After discount 90\.00\nVAT 20 % on 75\.00 15\.00\nTotal 105\.00 EUR\nIncludes VAT/);
  });
});

describe('the largest amounts', () => {
  const tax = { ...vat, base: GREATEST, amount: GREATEST };
  const sums = { subtotal: GREATEST, discount: GREATEST, price: GREATEST, total: GREATEST, net: GREATEST };
  const greatest = letter({
    currency: 'KWD',
    sums: { ...sums, added: [tax], included: [tax] },
    settlement: [['amount_due', GREATEST]],
    lines: [
      {
        ...engine,
        product_name: 'A name that is rather long for a product, '.repeat(5),
        unit_name: 'kilograms',
        qty: '999999999999.123456',
        unit_price: '999999999999999.9999',
        amount: GREATEST,
        discount: { type: 'amount', value: GREATEST },
      },
    ],
  });

  test('are not broken and do not leave the page', async () => {
    const words = await wordsOn(await print(greatest));
    const figures = words.filter(({ text }) => /\d{3},\d{3}/.test(text));
    for (const figure of ['999,999,999,999.123456', '999,999,999,999,999.9999', '999,999,999,999,999.999'])
      expect(figures.some(({ text }) => text.includes(figure))).toBe(true);
    for (const { left, width } of words) {
      expect(left).toBeGreaterThanOrEqual(49);
      expect(left + width).toBeLessThanOrEqual(RIGHT_EDGE + 1);
    }
  });

  test('leave enough width for the descriptions in yen', async () => {
    const line = { ...engine, discount: null, unit_price: '999999999999999', amount: '999999999999999' };
    const text = await first(letter({ currency: 'JPY', lines: [line] }));
    expect(text).toMatch(/999,999,999,999,999 VAT 20 % 999,999,999,999,999/);
    expect(text).toContain('Four cylinders');
  });

  test('repeat the table head on each of several pages', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => ({ ...greatest.lines[0]!, product_name: `Part ${at + 1}.` }));
    const all = await pages({ ...greatest, lines });
    for (const text of all.filter((page) => page.includes('Part ')))
      expect(text).toMatch(/# Quantity\s+Price\s+Discount/);
    expect(all.join(' ').match(/Part \d+\./g)).toHaveLength(300);
  });
});
