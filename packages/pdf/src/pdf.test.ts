import { afterAll, describe, expect, test } from '@jest/globals';
import { pagesOf, imagesOf } from '@suite/testing';
import { engine, installation, samplePdf } from '../test/sample-pdf.ts';
import { openTestPrinter } from '../test/printing.ts';
import { disposition } from './pdf-response.ts';

const { print, pages, first, close } = openTestPrinter();
afterAll(close);

const many = (length: number) => Array.from({ length }, (_, at) => ({ ...engine, product_name: `Part ${at + 1}.` }));

/** A small PNG. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQImWPgLmqFIwZkDgBlGggRnwepGAAAAABJRU5ErkJggg==';

describe('a printed document', () => {
  test('shows sender, recipient, subject and exact totals', async () => {
    const pdf = await print(samplePdf());
    expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-');
    const [text, ...more] = await pagesOf(pdf);
    expect(more).toEqual([]);
    for (const said of [
      'Invoice',
      'INV-2026-00001',
      'Northwind GmbH',
      'Speicherstraße 12 · 20457 Hamburg',
      'DE 123 456 789',
      'Engines Ltd',
      'Ada Lovelace',
      '12 St James Square',
      'London',
      'GB 1',
      'PO 4711',
      '10 Mar 2026',
      '9 Apr 2026',
      'Engine',
      'Four cylinders',
      'E-4711',
      '3 pcs',
      '19.99',
      '10 %',
      'VAT 20 %',
      '53.97',
      'Installation',
      '100.00',
      '153.97',
      'VAT 20 % on 153.97',
      '30.79',
      '184.76 EUR',
      '100.00 EUR',
      '84.76 EUR',
      'Thank you.',
      'IBAN DE89 3704 0044 0532 0130 00',
      'Page 1 of 1',
    ])
      expect(text).toContain(said);
    for (const nothing of ['Agent', 'Terms', 'DRAFT', 'null', 'undefined']) expect(text).not.toContain(nothing);
  });

  test('omits empty parts', async () => {
    const plain = { ...installation, taxes: [] };
    const none = { discount: '0.00', added: [], included: [] };
    const sums = { ...none, subtotal: '100.00', price: '100.00', total: '100.00', net: '100.00' };
    const text = await first(samplePdf({ lines: [plain], sums, settlement: [], texts: [] }));
    for (const nothing of ['Discount', 'Tax\n', 'Subtotal', 'Amount due', 'Notes']) expect(text).not.toContain(nothing);
    expect(text).toContain('100.00 EUR');
  });

  test('has no number for a draft, and marks every page as a draft', async () => {
    const all = await pages(samplePdf({ number: null, mark: 'draft', lines: many(60) }));
    for (const text of all) expect(text).toContain('DRAFT');
  });

  test('repeats the table head on each page, and numbers its pages', async () => {
    const all = await pages(samplePdf({ lines: many(60) }));
    expect(all.length).toBeGreaterThan(1);
    for (const [at, text] of all.entries()) {
      expect(text).toContain(`Page ${at + 1} of ${all.length}`);
      expect(text).toContain('INV-2026-00001');
    }
    const withLines = all.filter((text) => text.includes('Part '));
    for (const text of withLines) expect(text).toMatch(/Description\s+Quantity\s+Price/);
    const printed = all.join(' ').match(/Part \d+\./g);
    expect(printed).toEqual(many(60).map(({ product_name }) => product_name));
    expect(all.at(-1)).toContain('184.76 EUR');
  });

  test('shows the logo instead of the name', async () => {
    expect(await imagesOf(await print(samplePdf()))).toEqual([]);
    const logo = new Uint8Array(Buffer.from(PNG, 'base64'));
    expect(await imagesOf(await print(samplePdf({ from: { logo } })))).toEqual([{ width: 4, height: 2 }]);
  });
});

describe('amounts and quantities', () => {
  test.each([
    ['de-DE', 'EUR', ['1.234.567,50', '10.03.2026', '12,5 %', '0,3333']],
    ['fr-FR', 'EUR', ['1 234 567,50', '10 mars 2026', '12,5 %', '0,3333']],
    ['en-US', 'USD', ['1,234,567.50', 'Mar 10, 2026', '12.5 %', '0.3333']],
    ['', 'GBP', ['1,234,567.50', '10 Mar 2026', '12.5 %', '0.3333']],
    ['no such', 'JPY', ['1,234,567.5', '10 Mar 2026', '12.5 %', '0.3333']],
  ])('are formatted for the locale %s in %s', async (locale, currency, written) => {
    const line = {
      ...engine,
      qty: '0.333300',
      discount: { type: 'percent', value: '12.5' },
      amount: '1234567.50',
    } as const;
    const text = await first(samplePdf({ from: { locale }, currency, lines: [line] }));
    for (const figure of written) expect(text.replaceAll(/[\u00a0\u202f]/g, ' ')).toContain(figure);
  });

  test.each([
    ['JPY', '1250.00', '1,250 JPY'],
    ['KWD', '1250.125', '1,250.125 KWD'],
    ['EUR', '999999999999999.99', '999,999,999,999,999.99 EUR'],
  ])('have the decimals of %s, without losing a digit', async (currency, total, written) => {
    expect(await first(samplePdf({ currency, sums: { ...samplePdf().sums!, total } }))).toContain(written);
  });

  test('show the rate of a tax if its name does not, and included taxes', async () => {
    const taxes = [
      { name: 'USt. 19 %', rate: '19', kind: 'percent', inclusive: true },
      { name: 'GST', rate: '7.5', kind: 'percent', inclusive: false },
      { name: 'Eco fee', rate: '0.10', kind: 'fixed', inclusive: false },
    ] as const;
    const text = await first(samplePdf({ lines: [{ ...engine, taxes }] }));
    expect(text).toMatch(/USt\. 19 % incl\./);
    expect(text).toContain('GST 7.5 %');
    expect(text).toMatch(/Eco fee\s/);
  });
});

describe('text that was written to do harm', () => {
  const word = 'W'.repeat(2_000);
  test.each<[string, string]>([
    ['a word without an end', word],
    ['markup', '<script>alert(1)</script><b>&amp;</b> {{x}} ${y}'],
    ['emoji and flags', '😀👩‍👩‍👧🇩🇪'.repeat(100)],
    ['halves of characters', '\ud83d'.repeat(10) + 'x\udc00'],
    ['right-to-left text', 'שלום עולם مرحبا بالعالم \u202eevil\u202c'],
    ['characters that are not in the font', '漢字かな交じり文'.repeat(50)],
    ['control characters', 'a\u0000b\u0007c\u001b[31m\r\nd\te\ufeff'],
    ['lines without an end', 'line\n'.repeat(300)],
    ['marks upon marks', `Z${'\u0351'.repeat(500)}`],
    ['a file of the server', 'file:///etc/passwd /etc/passwd data:text/html,x http://127.0.0.1/'],
  ])('(%s) is printed like any other text', async (_, text) => {
    const lines = [
      { ...engine, product_name: text, description: text, sku: text.slice(0, 100), unit_name: text.slice(0, 50) },
    ];
    const spoiled = samplePdf({
      lines,
      number: text.slice(0, 60),
      to: { name: text, company: text, address: text, tax_number: text },
      facts: [['reference', { text }]],
      texts: [['notes', text]],
      from: {
        name: text.slice(0, 200),
        address: text.slice(0, 500),
        footer: text.slice(0, 500),
        tax_number: text.slice(0, 50),
      },
    });
    const all = await pages(spoiled);
    expect(all.length).toBeLessThan(120);
    expect(all.join(' ')).toContain('184.76 EUR');
    expect(all.join(' ').replaceAll(/\s/g, '')).toContain(
      text.startsWith('<') ? '<script>alert(1)</script>' : '84.76EUR',
    );
  });

  test('adds no path, header or extension to the file name', () => {
    const named = (number: string | null, locale = '') =>
      disposition(samplePdf({ number, from: { locale } })).replace('inline; ', '');
    expect(named('INV-2026-00001')).toBe('filename="Invoice-INV-2026-00001.pdf"');
    expect(named(null)).toBe('filename="Invoice-draft.pdf"');
    expect(named('../../"x\r\nSet-Cookie: a=b;.exe')).toBe('filename="Invoice-x-Set-Cookie-a-b-exe.pdf"');
    expect(named('R-1', 'de-AT')).toBe(`filename="Invoice-R-1.pdf"; filename*=UTF-8''Rechnung-R-1.pdf`);
  });
});
