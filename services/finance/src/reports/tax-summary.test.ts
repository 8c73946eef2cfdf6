import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { expectCleanBooks } from '../../test/audit.ts';
import { type Company, openFinance } from '../../test/fixture.ts';
import { trading } from '../../test/trade.ts';

const { serving, inventory, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let trade: ReturnType<typeof trading>;
beforeEach(async () => {
  ours = await company();
  trade = trading(ours, inventory);
});

const summary = async (span: string) => (await ours.owner.get(`/api/accounting/tax-summary${span}`)).body.data;
const post = async (noun: string, body: Record<string, unknown>) => {
  const { id } = (await trade.make(noun, body)).body.data;
  return (await trade.act(noun, 'post', id)).body.data;
};

test('tells of each tax what was taken in, what was paid, and what is owed of it; of the days that are asked for', async () => {
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
  const back = { invoice_id: sold.id, return_date: '2026-04-02', reason: 'defective', lines: [part] };
  const { id } = (await trade.make('sales-invoice-return', back)).body.data;
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
        output: '2.50',
        input: '0.00',
        payable: '2.50',
      },
      {
        tax_id: vat.tax_id,
        name: 'VAT',
        kind: 'percent',
        rate: '20',
        output: '20.00',
        input: '6.00',
        payable: '14.00',
      },
    ],
    output_total: '22.50',
    input_total: '6.00',
    payable_total: '16.50',
  });
  // The return in April is taken off in April.
  expect(await summary('?from=2026-04-01&to=2026-04-30')).toMatchObject({
    output_total: '-11.25',
    input_total: '0.00',
    payable_total: '-11.25',
  });
});

test('of a span in which nothing was taxed is nothing, and its days must be days', async () => {
  expect(await summary('?from=2020-01-01&to=2020-12-31')).toMatchObject({ taxes: [], payable_total: '0.00' });
  expect(await ours.owner.get('/api/accounting/tax-summary?from=2026-02-30')).toMatchObject({
    status: 422,
    body: { errors: { from: [expect.any(String)] } },
  });
  expect(await ours.member({ can: [] }).get('/api/accounting/tax-summary')).toMatchObject({ status: 403 });
});
