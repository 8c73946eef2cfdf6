import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { DraftInvoiceLine, type DraftLine, fromDraftInvoice, toDraftInvoice } from './document-lines.ts';

const vat = { id: randomUUID(), name: 'VAT', rate: '20', kind: 'percent', inclusive: true, compound: false } as const;
const agreed: DraftLine = {
  product_id: randomUUID(),
  product_name: 'Engine',
  sku: 'E-1',
  unit_name: 'piece',
  description: 'Repaired',
  qty: '2.5',
  unit_price: '19.99',
  discount: { type: 'percent', value: '5' },
  taxes: [vat],
};
const handedOver = (line: Partial<DraftLine> = {}): DraftLine => {
  const [sent] = toDraftInvoice([{ ...agreed, ...line }]);
  return fromDraftInvoice(DraftInvoiceLine.parse(sent));
};

describe('an agreed line on an invoice', () => {
  const unnamed = { product_name: null, sku: null, unit_name: null };
  test('has the agreed values, without the names of its product', () => {
    expect(handedOver()).toEqual({ ...agreed, ...unnamed });
  });

  test('has the name of its product as its description by default', () => {
    expect(handedOver({ description: null })).toMatchObject({ description: 'Engine' });
  });

  test('is free text if it has no product, no discount and no taxes', () => {
    const text = { product_id: null, product_name: null, discount: null, taxes: [] };
    expect(handedOver(text)).toEqual({ ...agreed, ...unnamed, ...text, unit_name: 'piece' });
  });
});

test('omits the tax amounts, because the invoice calculates its own', () => {
  const levied = { ...vat, base: '1.00', amount: '0.20' };
  expect(toDraftInvoice([{ ...agreed, taxes: [levied] }])[0]!.taxes).toEqual([
    { tax_id: vat.id, name: 'VAT', rate: '20', kind: 'percent', inclusive: true, compound: false },
  ]);
});
