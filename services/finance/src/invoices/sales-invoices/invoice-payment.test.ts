import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, pagesOf } from '@suite/testing';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { inventory, company } = await openFinance();
let ours: Company;
let trade: ReturnType<typeof tradingSteps>;
beforeEach(async () => {
  ours = await company();
  trade = tradingSteps(ours, inventory);
});

const PDF = { headers: { accept: 'application/pdf' } };
const invoicePath = (id: string) => `/api/sales-invoice/show/${id}`;
const read = async (path: string, by: Member = ours.owner) =>
  (await pagesOf((await by.get(path, PDF)).content)).join('\n');

async function createPosted() {
  const invoice = await trade.createFirstInvoice();
  await trade.act('sales-invoice', 'post', invoice.id);
  return invoice;
}

describe('the payment instructions of an invoice', () => {
  const IBAN = 'DE89370400440532013000';
  const open = (more: object) =>
    ours.owner.post('/api/bank-accounts/create', { bank_name: 'Example Bank', account_name: 'Main', ...more });

  test('show the marked account in its currency, the number of the invoice and a QR code', async () => {
    const { id } = await createPosted();
    expect(await read(invoicePath(id))).not.toContain('Payment reference');
    await open({ account_name: 'Savings', account_number: 'DE02120300000000202051' });
    await open({ currency: 'USD', account_number: '123456789', on_invoices: true });
    await open({ account_number: IBAN, holder: 'Northwind Europe', bic: 'COBADEFFXXX', on_invoices: true });
    const { content } = await ours.owner.get(invoicePath(id), PDF);
    const text = (await pagesOf(content)).join('\n');
    for (const printedText of [
      'Northwind Europe',
      'DE89 3704 0044 0532 0130 00',
      'COBADEFFXXX',
      'Example Bank',
      'Scan to pay',
    ])
      expect(text).toContain(printedText);
    expect(text).toMatch(/Payment reference\s+INV-2026-00001/);
    for (const hidden of ['DE02', '123456789']) expect(text).not.toContain(hidden);
  });

  test('are shown to the customer of the invoice', async () => {
    await open({ account_number: IBAN, on_invoices: true });
    const user_id = randomUUID();
    const invoice = await createPosted();
    await ours.transact(({ db }) => db.customer.updateMany({ where: { id: invoice.customer.id }, data: { user_id } }));
    const client = ours.member({ can: ['sales_invoice.view'], kind: 'client', user_id });
    expect(await read(invoicePath(invoice.id), client)).toContain('DE89 3704 0044 0532 0130 00');
  });

  test('are omitted on drafts and cancelled invoices', async () => {
    await open({ account_number: IBAN, on_invoices: true });
    const invoice = await trade.createFirstInvoice();
    expect(await read(invoicePath(invoice.id))).not.toContain('Payment reference');
    await trade.act('sales-invoice', 'post', invoice.id);
    await trade.act('sales-invoice', 'cancel', invoice.id);
    expect(await read(invoicePath(invoice.id))).not.toContain('Payment reference');
  });

  test('require an account number', async () => {
    const { body } = await open({ on_invoices: true });
    expect(body).toMatchObject({ code: 'validation_failed', errors: { on_invoices: [expect.any(String)] } });
    const { id } = (await open({ account_number: IBAN, on_invoices: true })).body.data;
    const { status } = await ours.owner.post(`/api/bank-accounts/update/${id}`, { account_number: null });
    expect(status).toBe(422);
  });
});
