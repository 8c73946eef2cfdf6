import { describe, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, runConcurrently } from '@suite/testing';
import { FIVE, openCommissionTests, totals } from '../../../test/commissions.ts';
import { everything } from '../../../test/fixture.ts';

interface CommissionBase {
  base_amount: string | null;
  rate: string | null;
}

const { serving, ours, shop } = await openCommissionTests();

describe('a commission', () => {
  // Worked example G21.
  test('is posted with 250.00 for 7,000, and reversed by 50.00 for a return of 1,000', async () => {
    const { id } = await shop.agent();
    const invoice = await shop.createInvoice(id, '7', '1000.00');
    expect(await shop.readOutstanding(id)).toMatchObject({
      ...totals('250.00', '0.00', '250.00'),
      lines: [
        {
          invoice_id: invoice.id,
          invoice_number: 'INV-2026-00001',
          base_amount: '7000.00',
          amount: '250.00',
          rate: null,
        },
      ],
      lines_total: 1,
    });
    expect(await shop.sides(invoice.id)).toMatchObject({ Commissions: '250.00', 'Commissions payable': '-250.00' });
    const returnId = await shop.createReturn(invoice, '1');
    await shop.complete(returnId);
    expect(await shop.readOutstanding(id)).toMatchObject({
      ...totals('250.00', '50.00', '200.00'),
      lines: [{ status: 'accrued', amount: '250.00', outstanding: '200.00' }],
    });
    expect(await shop.sides(returnId)).toMatchObject({ Commissions: '-50.00', 'Commissions payable': '50.00' });
    expect(await shop.readOutstanding(id, '?as_of=2026-03-15')).toMatchObject(totals('250.00', '0.00', '250.00'));
    expect(await shop.readOutstanding(id, '?as_of=2026-03-09')).toMatchObject({
      currencies: [],
      lines: [],
      lines_total: 0,
    });
  });

  test('is shown by a dry run, which has no effect', async () => {
    const { id } = await shop.agent();
    const { id: customer_id } = await shop.customer();
    const lines = [{ description: 'Advice', qty: '7', unit_price: '1000.00' }];
    const draft = await shop.createRecord('sales-invoice', {
      customer_id,
      invoice_date: '2026-03-10',
      agent_id: id,
      lines,
    });
    const preview = await shop.act('sales-invoice', 'post', draft.id, '?dry_run=true');
    expect(preview.body.data.effects.journal_lines).toMatchObject([
      {},
      {},
      { account: { name: 'Commissions' }, debit: '250.00' },
      { account: { name: 'Commissions payable' }, credit: '250.00' },
    ]);
    expect(await shop.readOutstanding(id)).toMatchObject({ currencies: [] });
  });

  test('is accrued and announced once for fifty concurrent postings of an invoice', async () => {
    const { id } = await shop.agent();
    const { id: customer_id } = await shop.customer();
    const lines = [{ description: 'Advice', qty: '7', unit_price: '1000.00' }];
    const draft = await shop.createRecord('sales-invoice', {
      customer_id,
      invoice_date: '2026-03-10',
      agent_id: id,
      lines,
    });
    const replies = await runConcurrently(50, () => shop.act('sales-invoice', 'post', draft.id));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect(await shop.lines(id)).toHaveLength(1);
    expect(
      await serving.sql`SELECT FROM journal_events WHERE type = 'finance.commission.accrued' AND workspace_id = ${ours.workspace}`,
    ).toHaveLength(1);
  });

  test('is reversed to zero by returns in any split, also concurrent ones', async () => {
    const { id } = await shop.agent();
    const invoice = await shop.createInvoice(id, '7', '999.99');
    const backs = [
      await shop.createReturn(invoice, '1'),
      await shop.createReturn(invoice, '2'),
      await shop.createReturn(invoice, '4'),
    ];
    const replies = await runConcurrently(30, (at) => shop.complete(backs[at % 3]!));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect(await shop.readOutstanding(id)).toMatchObject({
      ...totals('250.00', '250.00', '0.00'),
      lines: [],
      lines_total: 0,
    });
    expect(await shop.lines(id)).toMatchObject([{ status: 'reversed', outstanding: '0.00', allowed_actions: [] }]);
  });

  test('is reversed when the invoice is cancelled, even if already paid', async () => {
    const { id } = await shop.agent();
    const [first, second] = [
      await shop.createInvoice(id, '7', '1000.00'),
      await shop.createInvoice(id, '1', '1000.00'),
    ];
    const paid = (await shop.lines(id)).find(({ amount }: { amount: string }) => amount === '250.00');
    await shop.approve(paid.id);
    await shop.pay(paid.id);
    for (const invoice of [first, second])
      expect(await shop.act('sales-invoice', 'cancel', invoice.id)).toMatchObject({ status: 200 });
    const left = { paid: '250.00', adjusted: '-250.00' };
    expect(await shop.readOutstanding(id)).toMatchObject(totals('280.00', '30.00', '-250.00', left));
  });

  test('excludes the cost if it is on the margin, where scrapped goods remain a cost', async () => {
    const { id } = await shop.agent({ type: 'percent', base: 'margin', rate: '10' });
    const product_id = shop.product({}, { on_hand: 15, value: '75.00' });
    const lines = [{ product_id, qty: '4', unit_price: '20.00' }];
    const invoice = await shop.createInvoice(id, '1', '1.00', { lines });
    expect(await shop.readOutstanding(id)).toMatchObject(totals('6.00', '0.00', '6.00'));
    const userWithoutCosts = ours.member({ can: everything.filter((permission) => permission !== 'product.cost') });
    const margins = async (by: Member) => [
      (await by.get(`/api/commissions?agent_id=${id}`)).body.data.map(({ base_amount }: CommissionBase) => base_amount),
      (await by.get(`/api/agents/${id}/outstanding-commissions`)).body.data.lines.map(
        ({ base_amount, rate }: CommissionBase) => [base_amount, rate],
      ),
    ];
    expect(await margins(ours.owner)).toEqual([['60.00'], [['60.00', '10']]]);
    expect(await margins(userWithoutCosts)).toEqual([[null], [[null, null]]]);
    await shop.complete(await shop.createReturn(invoice, '1'));
    expect(await shop.readOutstanding(id)).toMatchObject(totals('6.00', '1.50', '4.50'));
    const scrap = { invoice_id: invoice.id, return_date: '2026-03-21', reason: 'damaged' };
    const scrapped = [{ invoice_line_id: invoice.lines[0].id, qty: '1', disposition: 'scrap' }];
    const { id: second } = await shop.createRecord('sales-invoice-return', { ...scrap, lines: scrapped });
    await shop.act('sales-invoice-return', 'approve', second);
    await shop.complete(second);
    expect(await shop.readOutstanding(id)).toMatchObject(totals('6.00', '3.50', '2.50'));
  });

  test('is payable in the base currency for a foreign invoice', async () => {
    const { id } = await shop.agent(FIVE);
    const { id: customer_id } = await shop.customer({ currency: 'USD' });
    await shop.createInvoice(id, '1', '1000.00', { customer_id, rate: '0.9' });
    expect(await shop.readOutstanding(id)).toMatchObject(totals('45.00', '0.00', '45.00'));
  });

  test('needs a plan that is valid on the day, and ignores later changes to the plan', async () => {
    const early = await shop.agent({ ...FIVE, valid_to: '2026-03-10' });
    await shop.createInvoice(early.id, '1', '1000.00');
    expect(await shop.readOutstanding(early.id)).toMatchObject({ currencies: [] });
    const { id, plan_id } = await shop.agent({ ...FIVE, valid_from: '2026-03-10', valid_to: '2026-03-11' });
    const invoice = await shop.createInvoice(id, '2', '1000.00');
    await ours.owner.post(`/api/commission-plan/update/${plan_id}`, { rate: '50', active: false });
    await shop.complete(await shop.createReturn(invoice, '1'));
    expect(await shop.readOutstanding(id)).toMatchObject(totals('100.00', '50.00', '50.00'));
  });
});

describe('a commission that is earned with the payment', () => {
  const LATER = { ...FIVE, trigger: 'payment' };
  const thirds = ['33.33', '33.33', '33.34'];

  test('is earned with each payment, and the parts add up to the whole', async () => {
    const { id } = await shop.agent({ ...LATER, rate: '3.33' });
    const invoice = await shop.createInvoice(id, '1', '100.00');
    expect(await shop.readOutstanding(id)).toMatchObject({ currencies: [] });
    for (const amount of thirds) await shop.paid(invoice, amount);
    expect((await shop.lines(id)).map(({ amount }: { amount: string }) => amount).toSorted()).toEqual([
      '1.11',
      '1.11',
      '1.11',
    ]);
    expect(await shop.readOutstanding(id)).toMatchObject(totals('3.33', '0.00', '3.33'));
  });

  test('is reversed with a voided payment, and earned again with the next', async () => {
    const { id } = await shop.agent(LATER);
    const invoice = await shop.createInvoice(id, '1', '100.00');
    const [first, second] = [await shop.paid(invoice, '40.00'), await shop.paid(invoice, '60.00')];
    const [, newest] = await shop.lines(id);
    await shop.approve(newest.id);
    await ours.owner.post(`/api/revenues/reverse/${first}`);
    expect(await shop.readOutstanding(id)).toMatchObject(totals('5.00', '2.00', '3.00'));
    await shop.pay(newest.id);
    await ours.owner.post(`/api/revenues/reverse/${second}`);
    expect(await shop.readOutstanding(id)).toMatchObject(
      totals('5.00', '2.00', '-3.00', { paid: '3.00', adjusted: '-3.00' }),
    );
    await shop.paid(invoice, '100.00');
    expect(await shop.readOutstanding(id)).toMatchObject(
      totals('10.00', '2.00', '2.00', { paid: '3.00', adjusted: '-3.00' }),
    );
  });

  test('is calculated on the remainder after a return, which is not a payment', async () => {
    const { id } = await shop.agent(LATER);
    const invoice = await shop.createInvoice(id, '10', '10.00');
    await shop.paid(invoice, '40.00');
    expect(await shop.readOutstanding(id)).toMatchObject(totals('2.00', '0.00', '2.00'));
    await shop.complete(await shop.createReturn(invoice, '5'));
    expect(await shop.readOutstanding(id)).toMatchObject(totals('2.00', '0.00', '2.00'));
    await shop.paid(invoice, '10.00');
    expect(await shop.readOutstanding(id)).toMatchObject(totals('2.50', '0.00', '2.50'));
    await shop.complete(await shop.createReturn(invoice, '5'));
    expect(await shop.readOutstanding(id)).toMatchObject(totals('2.50', '2.50', '0.00'));
  });

  test('is reversed with the payment if the return is dated before it', async () => {
    const { id } = await shop.agent({ ...FIVE, trigger: 'payment' });
    const invoice = await shop.createInvoice(id, '7', '1000.00');
    const paid = { customer_id: invoice.customer_id, amount: '7000.00', date: '2026-03-25' };
    const invoice_allocations = [{ invoice_id: invoice.id, amount: '7000.00' }];
    await shop.act('revenues', 'post', await shop.approvedRevenue({ ...paid, invoice_allocations }));
    await shop.complete(await shop.createReturn(invoice, '1'));
    expect(await shop.readOutstanding(id, '?as_of=2026-03-24')).toMatchObject({ currencies: [], lines: [] });
    expect(await shop.readOutstanding(id, '?as_of=2026-03-25')).toMatchObject(totals('350.00', '50.00', '300.00'));
  });

  test('is reversed on the line of a voided payment, on its day, and not on a later line', async () => {
    const { id } = await shop.agent({ ...FIVE, trigger: 'payment' });
    const invoice = await shop.createInvoice(id, '10', '1000.00');
    const pay = async (date: string) => {
      const invoice_allocations = [{ invoice_id: invoice.id, amount: '2000.00' }];
      const body = { customer_id: invoice.customer_id, amount: '2000.00', date, invoice_allocations };
      const revenue = await shop.approvedRevenue(body);
      await shop.act('revenues', 'post', revenue);
      return revenue;
    };
    const first = await pay('2026-03-12');
    await pay('2026-03-20');
    expect(await shop.act('revenues', 'reverse', first)).toMatchObject({ status: 200 });
    expect(await shop.readOutstanding(id, '?as_of=2026-03-19')).toMatchObject({ lines: [] });
    expect(await shop.readOutstanding(id, '?as_of=2026-03-20')).toMatchObject({
      ...totals('200.00', '100.00', '100.00'),
      lines: [{ date: '2026-03-20', outstanding: '100.00' }],
    });
  });

  test('stays exact with concurrent payments and returns', async () => {
    const { id } = await shop.agent(LATER);
    const invoice = await shop.createInvoice(id, '10', '10.00');
    const backs = [await shop.createReturn(invoice, '2'), await shop.createReturn(invoice, '3')];
    const requests = [
      ...backs.map((returnId) => () => shop.complete(returnId)),
      ...['7.77', '12.23', '30.00'].map((amount) => () => shop.paid(invoice, amount)),
    ];
    await Promise.all(requests.map((does) => does()));
    expect((await shop.readOutstanding(id)).currencies).toMatchObject([{ outstanding: '2.50' }]);
  });
});
