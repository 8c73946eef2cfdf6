/** PDFs for tests: an invoice of three engines and an installation, 184.76 in total, with changes. */
import type { PdfDocument, PdfLine } from '../src/pdf-document.ts';

export const vat = { name: 'VAT', rate: '20', kind: 'percent', inclusive: false } as const;

export const engine: PdfLine = {
  product_name: 'Engine',
  description: 'Four cylinders',
  sku: 'E-4711',
  qty: '3',
  unit_name: 'pcs',
  unit_price: '19.99',
  discount: { type: 'percent', value: '10' },
  taxes: [vat],
  amount: '53.97',
};
export const installation: PdfLine = {
  product_name: null,
  description: 'Installation',
  sku: null,
  qty: '1',
  unit_name: null,
  unit_price: '100.00',
  discount: null,
  taxes: [vat],
  amount: '100.00',
};

const northwind: PdfDocument['from'] = {
  name: 'Northwind GmbH',
  address: 'Speicherstraße 12\n20457 Hamburg',
  tax_number: 'DE 123 456 789',
  footer: 'IBAN DE89 3704 0044 0532 0130 00',
  locale: 'en-GB',
  logo: new Uint8Array(),
};

type PdfChanges = Partial<Omit<PdfDocument, 'from'>> & { from?: Partial<PdfDocument['from']> };

/** Returns the invoice of 184.76 (worked example G1) with the changes of a test. */
export const samplePdf = ({ from, ...more }: PdfChanges = {}): PdfDocument => ({
  title: 'invoice',
  number: 'INV-2026-00001',
  mark: null,
  from: { ...northwind, ...from },
  currency: 'EUR',
  to: { name: 'Ada Lovelace', company: 'Engines Ltd', address: '12 St James Square\nLondon', tax_number: 'GB 1' },
  facts: [
    ['invoice_date', { day: '2026-03-10' }],
    ['due_date', { day: '2026-04-09' }],
    ['reference', { text: 'PO 4711' }],
    [{ text: 'Agent' }, { text: null }],
  ],
  lines: [engine, installation],
  discount: null,
  sums: {
    subtotal: '153.97',
    discount: '0.00',
    price: '153.97',
    added: [{ ...vat, base: '153.97', amount: '30.79' }],
    total: '184.76',
    included: [],
    net: '153.97',
  },
  settlement: [
    ['paid', '100.00'],
    ['amount_due', '84.76'],
  ],
  texts: [
    ['notes', 'Thank you.'],
    ['terms', null],
  ],
  ...more,
});
