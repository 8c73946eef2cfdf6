import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectCleanBooks } from '../../../test/audit.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { serving, inventory, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let trade: ReturnType<typeof tradingSteps>;
beforeEach(async () => {
  ours = await company();
  trade = tradingSteps(ours, inventory);
});

const summary = async (span: string) => (await ours.owner.get(`/api/accounting/tax-summary${span}`)).body.data;
const post = async (noun: string, body: Record<string, unknown>) => {
  const { id } = (await trade.make(noun, body)).body.data;
  return (await trade.act(noun, 'post', id)).body.data;
};

describe('the tax summary', () => {
  test('shows collected, paid and payable amounts for the requested days', async () => {
    const [vat, levy] = [trade.tax(), trade.tax({ name: 'Levy', rate: '2.5' })];
    const line = { description: 'Installation', qty: '1', tax_ids: [vat.tax_id] };
    const { id: customer_id } = await trade.customer();
    const { id: vendor_id } = await trade.vendor();
    const lines = [{ ...line, unit_price: '100.00', tax_ids: [vat.tax_id, levy.tax_id] }];
    const sold = await post('sales-invoice', { customer_id, invoice_date: '2026-03-10', lines });
    await post('purchase-invoice', {
      vendor_id,
      invoice_date: '2026-03-20',
      lines: [{ ...line, unit_price: '30.00' }],
    });
    const part = { invoice_line_id: sold.lines[0].id, qty: '0.5' };
    const returnInput = { invoice_id: sold.id, return_date: '2026-04-02', reason: 'defective', lines: [part] };
    const { id } = (await trade.make('sales-invoice-return', returnInput)).body.data;
    for (const verb of ['approve', 'complete']) await trade.act('sales-invoice-return', verb, id);

    expect(await summary('?from=2026-03-01&to=2026-03-31')).toEqual({
      from: '2026-03-01',
      to: '2026-03-31',
      currency: 'EUR',
      taxes: [
        {
          tax_id: levy.tax_id,
          name: 'Levy',
          kind: 'percent',
          rate: '2.5',
          output_base: '100.00',
          output: '2.50',
          input_base: '0.00',
          input: '0.00',
          payable: '2.50',
        },
        {
          tax_id: vat.tax_id,
          name: 'VAT',
          kind: 'percent',
          rate: '20',
          output_base: '100.00',
          output: '20.00',
          input_base: '30.00',
          input: '6.00',
          payable: '14.00',
        },
      ],
      output_total: '22.50',
      input_total: '6.00',
      payable_total: '16.50',
    });
    // The return in April reduces the amounts of April.
    expect(await summary('?from=2026-04-01&to=2026-04-30')).toMatchObject({
      output_total: '-11.25',
      input_total: '0.00',
      payable_total: '-11.25',
    });
  });

  test('is empty for a period without taxes, and rejects invalid days', async () => {
    expect(await summary('?from=2020-01-01&to=2020-12-31')).toMatchObject({ taxes: [], payable_total: '0.00' });
    expect(await ours.owner.get('/api/accounting/tax-summary?from=2026-02-30')).toMatchObject({
      status: 422,
      body: { errors: { from: [expect.any(String)] } },
    });
    expect(await ours.member({ can: [] }).get('/api/accounting/tax-summary')).toMatchObject({ status: 403 });
  });

  /** Creates a sale of 100.00 with these taxes. */
  async function sale(tax_ids: string[], more: object = {}) {
    const { id: customer_id } = await trade.customer();
    const lines = [{ description: 'Advice', qty: '1', unit_price: '100.00', tax_ids }];
    return await post('sales-invoice', { customer_id, invoice_date: '2026-03-10', lines, ...more });
  }
  const MARCH = '?from=2026-03-01&to=2026-03-31';
  const row = (given: object) => ({ input_base: '0.00', input: '0.00', ...given });

  test('includes the base of zero rates, untaxed sales and purchases', async () => {
    const zero = trade.tax({ name: 'Zero', rate: '0' });
    await sale([zero.tax_id], {
      lines: [{ description: 'Export', qty: '1', unit_price: '500.00', tax_ids: [zero.tax_id] }],
    });
    await sale([]);
    const { id: vendor_id } = await trade.vendor();
    const lines = [{ description: 'Postage', qty: '1', unit_price: '7.00', tax_ids: [] }];
    await post('purchase-invoice', { vendor_id, invoice_date: '2026-03-20', lines });
    expect((await summary(MARCH)).taxes).toEqual([
      row({
        tax_id: zero.tax_id,
        name: 'Zero',
        kind: 'percent',
        rate: '0',
        output_base: '500.00',
        output: '0.00',
        payable: '0.00',
      }),
      {
        tax_id: null,
        name: null,
        kind: 'exempt',
        rate: null,
        output_base: '100.00',
        output: '0.00',
        input_base: '7.00',
        input: '0.00',
        payable: '0.00',
      },
    ]);
  });

  test('keeps posted rates and names: one row per rate', async () => {
    const vat = trade.tax({ name: 'VAT', rate: '10' });
    await sale([vat.tax_id]);
    trade.tax({ ...vat, rate: '12' });
    await sale([vat.tax_id]);
    trade.tax({ ...vat, name: 'Gone', rate: '99', active: false });
    const same = { tax_id: vat.tax_id, name: 'VAT', kind: 'percent', output_base: '100.00' };
    expect(await summary(MARCH)).toMatchObject({
      taxes: [
        row({ ...same, rate: '10', output: '10.00', payable: '10.00' }),
        row({ ...same, rate: '12', output: '12.00', payable: '12.00' }),
      ],
      output_total: '22.00',
    });
  });

  test('includes revenues, expenses and reversals, and matches the ledger', async () => {
    const vat = trade.tax({ rate: '19' });
    const revenue = await trade.approvedRevenue({ amount: '119.00', tax_id: vat.tax_id });
    await trade.act('revenues', 'post', revenue);
    const expense = await trade.approvedExpense({ amount: '59.50', tax_id: vat.tax_id });
    await trade.act('expenses', 'post', expense);
    const foreign = { currency: 'USD', rate: '0.9137', lines: undefined };
    const lines = ['33.33', '66.66'].map((unit_price) => ({
      description: 'A',
      qty: '1',
      unit_price,
      tax_ids: [vat.tax_id],
    }));
    const { id } = await sale([], { ...foreign, lines });
    const report = await summary(MARCH);
    expect(report.taxes).toMatchObject([
      { output_base: '191.36', output: '36.36', input_base: '50.00', input: '9.50' },
    ]);
    const ledger = async () => {
      const rows = (await ours.owner.get('/api/accounting/trial-balance?as_of=2026-12-31')).body.data.accounts;
      return rows.find(({ name }: { name: string }) => name === 'Output tax').balance;
    };
    expect(await ledger()).toBe(`-${report.output_total}`);
    await trade.act('sales-invoice', 'cancel', id);
    await trade.act('revenues', 'reverse', revenue);
    expect((await summary(MARCH)).taxes).toMatchObject([{ output_base: '0.00', output: '0.00', input_base: '50.00' }]);
  });

  test('cannot be changed', async () => {
    await sale([trade.tax().tax_id]);
    await expect(serving.sql`DELETE FROM tax_lines WHERE workspace_id = ${ours.workspace}`).rejects.toThrow();
    await expect(serving.sql`UPDATE tax_lines SET tax = 1 WHERE workspace_id = ${ours.workspace}`).rejects.toThrow();
  });
});
