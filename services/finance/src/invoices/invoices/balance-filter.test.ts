import { describe, expect, test } from '@jest/globals';
import { setUpFixture } from '@suite/testing';
import { openTestBooks } from '../../../test/books.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { inventory, ours, office, bank } = await openTestBooks();
const trade = setUpFixture(async () => tradingSteps(ours, inventory));

const SIDES = {
  sales: { noun: 'sales-invoice', party: 'customer', cash: 'revenues' },
  purchase: { noun: 'purchase-invoice', party: 'vendor', cash: 'expenses' },
} as const;

interface Invoice {
  id: string;
  balance_due: string;
  payment_status: string;
}

/** Creates a draft, and invoices that are unpaid, partly paid, paid, cancelled and free of charge. */
async function createInvoices(side: keyof typeof SIDES): Promise<Invoice[]> {
  const { noun, party } = SIDES[side];
  const { id: party_id } = await office[party]();
  const draft = async (unit_price: string) => {
    const lines = [{ description: 'Advice', qty: '1', unit_price }];
    const body = { [`${party}_id`]: party_id, invoice_date: '2026-03-10', lines };
    return (await trade.make(noun, body)).body.data.id as string;
  };
  const createPosted = async (unit_price: string) => {
    const id = await draft(unit_price);
    await trade.act(noun, 'post', id);
    return id;
  };
  const pay = async (invoice_id: string, amount: string) => {
    const part = [{ invoice_id, amount }];
    const money = { amount, bank_account_id: bank.id, [`${party}_id`]: party_id };
    const cash = await (side === 'sales'
      ? office.approvedRevenue({ ...money, invoice_allocations: part })
      : office.approvedExpense({ ...money, bill_allocations: part }));
    expect(await office.act('post', cash, SIDES[side].cash)).toMatchObject({ status: 200 });
  };
  await draft('10.00');
  await createPosted('100.00');
  await pay(await createPosted('100.00'), '40.00');
  await pay(await createPosted('60.00'), '60.00');
  await trade.act(noun, 'cancel', await createPosted('20.00'));
  await createPosted('0.00');
  return (await ours.owner.get(`/api/${noun}`)).body.data;
}

const OPERATORS: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  eq: (one, other) => one === other,
  ne: (one, other) => one !== other,
  gt: (one, other) => one > other,
  gte: (one, other) => one >= other,
  lt: (one, other) => one < other,
  lte: (one, other) => one <= other,
};

describe('the balance filter', () => {
  test.each(['sales', 'purchase'] as const)('filters %s invoices by payment status and balance', async (side) => {
    const all = await createInvoices(side);
    expect(all.map(({ balance_due }) => balance_due).toSorted()).toEqual([
      '0.00',
      '0.00',
      '0.00',
      '0.00',
      '100.00',
      '60.00',
    ]);
    const findInvoices = async (query: string) => {
      const { status, body } = await ours.owner.get(`/api/${SIDES[side].noun}?${query}`);
      expect({ query, status, total: body.meta?.total }).toEqual({ query, status: 200, total: body.data?.length });
      return (body.data as Invoice[]).map(({ id }) => id);
    };
    const expected = (matches: (invoice: Invoice) => boolean) => all.filter(matches).map(({ id }) => id);
    for (const [operator, compare] of Object.entries(OPERATORS))
      for (const value of ['-1', '0', '0.00', '60', '80.50', '100.00', '500'])
        expect({ operator, value, ids: await findInvoices(`balance_due[${operator}]=${value}`) }).toEqual({
          operator,
          value,
          ids: expected(({ balance_due }) => compare(Number(balance_due), Number(value))),
        });
    expect(await findInvoices('balance_due[in]=0,60')).toEqual(expected(({ balance_due }) => balance_due !== '100.00'));
    expect(await findInvoices('balance_due[in]=60,100')).toEqual(expected(({ balance_due }) => balance_due !== '0.00'));
    expect(await findInvoices('balance_due[null]=true')).toEqual([]);
    expect(await findInvoices('balance_due[null]=false')).toEqual(expected(() => true));
    expect(await findInvoices('balance_due[gt]=0&balance_due[lte]=60')).toEqual(
      expected(({ balance_due }) => balance_due === '60.00'),
    );
    for (const status of ['unpaid', 'partial', 'paid', 'credited'])
      expect(await findInvoices(`payment_status=${status}`)).toEqual(
        expected(({ payment_status }) => payment_status === status),
      );
  });
});
