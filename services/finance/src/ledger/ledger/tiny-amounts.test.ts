/** Tests of amounts in a foreign currency that round to zero in base currency. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { foreignCurrencySteps, SIDES, type Side } from '../../../test/foreign-currency.ts';
import { openFinance } from '../../../test/fixture.ts';

const { serving, inventory, company } = await openFinance();
let ours: Awaited<ReturnType<typeof company>>;
let office: ReturnType<typeof foreignCurrencySteps>;
beforeEach(async () => {
  ours = await company();
  office = foreignCurrencySteps(ours, inventory);
});
afterEach(() => office.expectSoundBooks(serving));

const dollars = (amount: string) => ({ amount, currency: 'USD', rate: '0.001' });
const partyOf = async (side: Side): Promise<string> =>
  (await (side === 'sales' ? office.customer() : office.vendor())).id;
const readInvoice = async (side: Side, id: string) => (await office.show(`${side}-invoice`, id)).body.data;
const bankBalance = async () =>
  (await office.read('/api/bank-accounts?currency=USD&is_cash=false'))[0].current_balance as string;

describe.each([
  ['sales', 'sales-invoice-return', 'credit-notes', ''],
  ['purchase', 'purchase-return', 'debit-notes', '-'],
] as const)('an amount without a value in base currency on the side of %s', (side, returns, notes, sign) => {
  test('is invoiced and paid, and stays exact in its currency', async () => {
    const party_id = await partyOf(side);
    const id = await office.createInvoice(side, party_id, dollars('0.01'));
    const invoice = await readInvoice(side, id);
    expect(invoice).toMatchObject({ status: 'posted', total: '0.01', balance_due: '0.01', payment_status: 'unpaid' });
    expect((await office.readEntryLines(invoice.journal_id)).toSorted()).toEqual([
      expect.stringMatching(/ -?0\.00, USD -?0\.01$/),
      expect.stringMatching(/ -?0\.00, USD -?0\.01$/),
    ]);
    const paid = await office.pay(side, party_id, dollars('0.01'), [{ invoice_id: id, amount: '0.01' }]);
    expect(paid).toMatchObject({ status: 200 });
    expect(await readInvoice(side, id)).toMatchObject({ balance_due: '0.00', payment_status: 'paid' });
    expect(await bankBalance()).toBe(`${sign}0.01`);
  });

  test('is paid in parts of a larger invoice', async () => {
    const party_id = await partyOf(side);
    const id = await office.createInvoice(side, party_id, dollars('11.00'));
    for (const [amount, due] of [
      ['4.00', '7.00'],
      ['4.00', '3.00'],
      ['3.00', '0.00'],
    ] as const) {
      const paid = await office.pay(side, party_id, dollars(amount), [{ invoice_id: id, amount }]);
      expect(paid).toMatchObject({ status: 200 });
      expect(await readInvoice(side, id)).toMatchObject({ balance_due: due });
    }
    expect(await bankBalance()).toBe(`${sign}11.00`);
  });

  test('is returned with a note', async () => {
    const id = await office.createInvoice(side, await partyOf(side), dollars('0.01'));
    const { lines } = await readInvoice(side, id);
    const part = { invoice_line_id: lines[0].id, qty: '1', ...(side === 'sales' && { disposition: 'scrap' }) };
    const body = { invoice_id: id, return_date: '2026-03-20', reason: 'defective', lines: [part] };
    const { id: return_id } = (await office.make(returns, body)).body.data;
    for (const verb of ['approve', 'complete'])
      expect(await office.act(returns, verb, return_id)).toMatchObject({ status: 200 });
    expect(await office.read(`/api/${notes}`)).toMatchObject([{ status: 'applied', total: '0.01', remaining: '0.00' }]);
    expect(await readInvoice(side, id)).toMatchObject({ balance_due: '0.00' });
  });

  test('is cancelled', async () => {
    const id = await office.createInvoice(side, await partyOf(side), dollars('0.01'));
    expect(await office.act(`${side}-invoice`, 'cancel', id)).toMatchObject({ status: 200 });
  });

  test('is received or paid in advance, and reversed', async () => {
    const { cash } = SIDES[side];
    const body = {
      bank_account_id: await office.findOrOpenBank('USD'),
      kind: 'payment',
      amount: '0.01',
      rate: '0.001',
    };
    const party = { [`${SIDES[side].party}_id`]: await partyOf(side) };
    const { id } = (await office[cash]({ ...body, ...party })).body.data;
    for (const verb of ['approve', 'post', 'reverse'])
      expect(await ours.owner.post(`/api/${cash}s/${verb}/${id}`, {})).toMatchObject({ status: 200 });
    expect(await bankBalance()).toBe('0.00');
  });

  test('is listed in the statement and the ageing of its party', async () => {
    const party_id = await partyOf(side);
    await office.createInvoice(side, party_id, dollars('0.01'));
    const statement = await office.read(`/api/accounting/${SIDES[side].party}-statement/${party_id}`);
    expect(JSON.stringify(statement)).toContain('"0.01"');
  });
});

test('a tax without a value in base currency does not block its invoice', async () => {
  const tax_ids = [office.tax({ rate: '10' }).tax_id];
  const { id: customer_id } = await office.customer();
  const lines = [{ description: 'Advice', qty: '1', unit_price: '5.00', tax_ids }];
  const body = { customer_id, invoice_date: '2026-03-01', currency: 'USD', rate: '0.001', lines };
  const { id } = (await office.make('sales-invoice', body)).body.data;
  expect(await office.act('sales-invoice', 'post', id)).toMatchObject({
    status: 200,
    body: { data: { total: '5.50' } },
  });
});
