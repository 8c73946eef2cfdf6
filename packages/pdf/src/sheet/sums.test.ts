import { afterAll, describe, expect, test } from '@jest/globals';
import { wordsOf } from '@suite/testing';
import { engine, samplePdf, vat } from '../../test/sample-pdf.ts';
import { openTestPrinter } from '../../test/printing.ts';

const { print, pages, first, close } = openTestPrinter();
afterAll(close);

const GREATEST = '999999999999999.999';
const RIGHT_EDGE = 595.28 - 50;
const reduced = { subtotal: '100.00', discount: '10.00', price: '90.00', net: '90.00' };

/** An entry of 1,250 yen or euros that leaves the given balance. */
const entry = (description: string, currency: string, balance: string) => ({
  date: '2026-03-10',
  description,
  currency,
  debit: '1250.00',
  credit: '0.00',
  balance,
});
const statement = { lines: [], sums: null, texts: [], title: 'statement' } as const;

describe('a statement of account', () => {
  test('shows entries with their balances, and the opening and closing balance', async () => {
    const paid = { ...entry('PAY-1: Engines Ltd', 'EUR', '250.00'), debit: '0.00', credit: '1000.00' };
    const entries = [entry('INV-1: Engines Ltd', 'EUR', '1250.00'), paid];
    const settlement = [
      ['opening_balance', '0.00'],
      ['closing_balance', '250.00'],
    ] as const;
    const text = await first(samplePdf({ ...statement, entries, settlement }));
    expect(text).toMatch(/Description Debit Credit Balance/);
    expect(text).toMatch(/1 10 Mar 2026 · INV-1: Engines Ltd 1,250\.00 1,250\.00\n/);
    expect(text).toMatch(/2 10 Mar 2026 · PAY-1: Engines Ltd 1,000\.00 250\.00\n/);
    expect(text).toMatch(/Opening balance 0\.00 EUR\nClosing balance 250\.00 EUR/);
    expect(text).not.toContain('Total');
  });

  test('names the currency of each amount if there are several, with its decimals', async () => {
    const entries = [entry('INV-1', 'EUR', '1250.00'), entry('INV-2', 'JPY', '1250')];
    const settlement = [['closing_balance', '1250', 'JPY']] as const;
    const text = await first(samplePdf({ ...statement, entries, settlement }));
    expect(text).toMatch(/INV-1 1,250\.00 EUR 1,250\.00 EUR\n/);
    expect(text).toMatch(/INV-2 1,250 JPY 1,250 JPY\n/);
    expect(text).toContain('Closing balance 1,250 JPY');
  });

  test('has rows in a language that is written from right to left', async () => {
    const entries = [entry('فاتورة ١', 'EUR', '1250.00')];
    const settlement = [['closing_balance', '1250.00']] as const;
    const text = await first(samplePdf({ ...statement, entries, settlement, from: { locale: 'ar' } }));
    expect(text).toMatch(/1,250\.00|١٬٢٥٠٫٠٠/);
  });
});

describe('PDF totals', () => {
  const line = { ...engine, qty: '1', unit_price: '100.00', discount: null, taxes: [], amount: '100.00' };

  test('show a discount on the whole document below undiscounted lines', async () => {
    const sums = { ...reduced, added: [], included: [], total: '90.00' };
    const discount = { type: 'percent', value: '10' } as const;
    const text = await first(samplePdf({ lines: [line], sums, discount, settlement: [] }));
    expect(text).toMatch(/1 pcs 100\.00 100\.00\nSubtotal 100\.00\nDiscount 10 % −10\.00\nTotal 90\.00 EUR/);
  });

  test('show taxes added to the price', async () => {
    const sums = { ...reduced, added: [{ ...vat, base: '90.00', amount: '18.00' }], included: [], total: '108.00' };
    const text = await first(samplePdf({ lines: [line], sums, settlement: [] }));
    expect(text).toMatch(
      /Subtotal 100\.00\nDiscount −10\.00\nNet 90\.00\nVAT 20 % on 90\.00 18\.00\nTotal 108\.00 EUR/,
    );
  });

  test('list taxes included in the price below the total, and do not add them', async () => {
    const included = [{ ...vat, base: '75.00', amount: '15.00' }];
    const sums = { ...reduced, added: [], included, net: '75.00', total: '90.00' };
    const text = await first(samplePdf({ lines: [line], sums, settlement: [] }));
    expect(text).toMatch(
      /Subtotal 100\.00\nDiscount −10\.00\nTotal 90\.00 EUR\nIncludes VAT 20 % on 75\.00 15\.00\nNet, excluding tax 75\.00/,
    );
  });

  test('show both kinds of taxes together', async () => {
    const tax = { base: '75.00', amount: '15.00' };
    const sums = { ...reduced, added: [{ ...vat, ...tax }], included: [{ ...vat, ...tax }], total: '105.00' };
    const text = await first(samplePdf({ lines: [line], sums, settlement: [] }));
    expect(text).toMatch(/After discount 90\.00\nVAT 20 % on 75\.00 15\.00\nTotal 105\.00 EUR\nIncludes VAT/);
  });
});

describe('the largest amounts', () => {
  const tax = { ...vat, base: GREATEST, amount: GREATEST };
  const sums = { subtotal: GREATEST, discount: GREATEST, price: GREATEST, total: GREATEST, net: GREATEST };
  const greatest = samplePdf({
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
    const words = await wordsOf(await print(greatest));
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
    const text = await first(samplePdf({ currency: 'JPY', lines: [line] }));
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
