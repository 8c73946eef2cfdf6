/** Tests that drafts that could not be posted are rejected when they are created or updated. */
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

const euros = (amount: string) => ({ amount, currency: 'EUR' });
const partyOf = async (side: Side): Promise<string> =>
  (await (side === 'sales' ? office.customer() : office.vendor())).id;

describe.each(['sales', 'purchase'] as const)('a payment on the side of %s', (side) => {
  const { parts, cash } = SIDES[side];

  test('is rejected with more than the open amount of an invoice', async () => {
    const of = await partyOf(side);
    const invoice_id = await office.createInvoice(side, of, euros('100.00'));
    const over = await office.draft(side, of, euros('200.00'), [{ invoice_id, amount: '100.01' }]);
    expect(over).toMatchObject({
      status: 409,
      body: { code: 'over_allocated', details: { field: `${parts}.0.amount`, invoice_id, open: '100.00' } },
    });
  });

  test('lists each invoice once, even after an update', async () => {
    const of = await partyOf(side);
    const invoice_id = await office.createInvoice(side, of, euros('100.00'));
    const twice = [
      { invoice_id, amount: '10.00' },
      { invoice_id, amount: '20.00' },
    ];
    const refused = { status: 422, body: { errors: { [`${parts}.1.invoice_id`]: ['Enter each invoice only once.'] } } };
    expect(await office.draft(side, of, euros('200.00'), twice)).toMatchObject(refused);
    const { id } = (await office.draft(side, of, euros('200.00'), twice.slice(1))).body.data;
    expect(await ours.owner.post(`/api/${cash}s/update/${id}`, { [parts]: twice })).toMatchObject(refused);
    expect(await ours.owner.post(`/api/${cash}s/update/${id}`, { reference: 'R-1' })).toMatchObject({ status: 200 });
  });

  test('can still change other fields if its invoice is settled concurrently', async () => {
    const of = await partyOf(side);
    const invoice_id = await office.createInvoice(side, of, euros('100.00'));
    const part = [{ invoice_id, amount: '100.00' }];
    const { id } = (await office.draft(side, of, euros('100.00'), part)).body.data;
    await office.pay(side, of, euros('100.00'), part);
    expect(await ours.owner.post(`/api/${cash}s/update/${id}`, { reference: 'R-1' })).toMatchObject({ status: 200 });
    expect(await ours.owner.post(`/api/${cash}s/update/${id}`, { [parts]: part })).toMatchObject({ status: 409 });
  });
});

test.each(['sales', 'purchase'] as const)(
  'a %s draft that moves to a party with another currency names the currency',
  async (side) => {
    const { party } = SIDES[side];
    const of = await partyOf(side);
    const other = (await (side === 'sales' ? office.customer({ currency: 'USD' }) : office.vendor({ currency: 'USD' })))
      .id;
    const lines = [{ description: 'Advice', qty: '1', unit_price: '10.00' }];
    const { id } = (await office.make(`${side}-invoice`, { [`${party}_id`]: of, invoice_date: '2026-03-01', lines }))
      .body.data;
    const update = (body: object) =>
      ours.owner.post(`/api/${side}-invoice/update/${id}`, { [`${party}_id`]: other, ...body });
    expect(await update({})).toMatchObject({
      status: 422,
      body: { errors: { currency: [`The draft is in EUR, and this ${party} uses USD. Specify the currency.`] } },
    });
    expect(await update({ currency: 'EUR' })).toMatchObject({ status: 200, body: { data: { currency: 'EUR' } } });
  },
);

test('a vendor statement has bills as credits and a positive payable balance', async () => {
  const of = await partyOf('purchase');
  const invoice_id = await office.createInvoice('purchase', of, euros('100.00'));
  await office.pay('purchase', of, euros('30.00'), [{ invoice_id, amount: '30.00' }]);
  const statement = await office.read(`/api/accounting/vendor-statement/${of}?from=2026-01-01&to=2026-12-31`);
  expect(statement).toMatchObject({
    closing_balance: '70.00',
    base_closing_balance: '70.00',
    balances: [{ base_opening_balance: '0.00', base_closing_balance: '70.00' }],
    lines: [
      { debit: '0.00', credit: '100.00', base_credit: '100.00', balance: '100.00' },
      { debit: '30.00', credit: '0.00', base_debit: '30.00', balance: '70.00' },
    ],
  });
});
