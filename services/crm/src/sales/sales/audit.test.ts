import { beforeEach, describe, expect, test } from '@jest/globals';
import { openCrm, type Shop } from '../../../test/fixture.ts';
import { salesSteps } from '../../../test/sales.ts';
import { checks } from './audit.ts';

const { serving, shop: openShop, violations } = await openCrm();
const { sql } = serving;
let shop: Shop;
let sales: ReturnType<typeof salesSteps>;
let made: { quote: string; order: string; proposal: string };
beforeEach(async () => {
  shop = await openShop();
  sales = salesSteps(shop);
  const quote = (await sales.quote()).id;
  await sales.updateQuote(quote, { status: 'sent' });
  const order = (await sales.order({ lines: [{ product_id: shop.stock.product(), qty: '3' }] })).id;
  await sales.updateOrder(order, { status: 'confirmed' });
  const proposal = (await sales.proposal()).id;
  await sales.propose(proposal, 'sent');
  await sales.propose(proposal, 'accept');
  await shop.owner.post(`/api/sales-proposal/convert-to-invoice/${proposal}`, {});
  made = { quote, order, proposal };
});

const violatedRules = async () => [...new Set((await violations(shop)).map(({ check }) => check))];

describe('the auditor', () => {
  test('finds no violation in consistent data', async () => {
    expect(await violatedRules()).toEqual([]);
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      `every total of a quote is the sum of its lines'`,
      () => sql`UPDATE quotes SET subtotal = 99 WHERE id = ${made.quote}`,
    ],
    [
      `every total of a sales order is the sum of its lines'`,
      () => sql`DELETE FROM sales_lines WHERE sales_order_id = ${made.order}`,
    ],
    [
      `every total of a proposal is the sum of its lines'`,
      () => sql`UPDATE proposals SET total = total + 1, net_total = net_total + 1 WHERE id = ${made.proposal}`,
    ],
    [
      'a quote that went out has its number, and is the one that it was given to',
      () => sql`UPDATE quotes SET number = NULL WHERE id = ${made.quote}`,
    ],
    [
      'a line total is net plus tax, and net is price less discount and included tax',
      () => sql`UPDATE sales_lines SET gross = gross + 1 WHERE quote_id = ${made.quote}`,
    ],
    [
      "a line's tax is the sum of its taxes",
      () => sql`UPDATE sales_lines SET tax = 1, net = net - 1 WHERE quote_id = ${made.quote}`,
    ],
    [
      'numbers have no gap: the count and the highest number match the counter',
      () => sql`UPDATE number_counters SET last = 7 WHERE workspace_id = ${shop.workspace} AND type = 'quote'`,
    ],
    [
      'a proposal announces its conversion once, and again per deleted draft invoice',
      () =>
        sql`UPDATE journal SET events = replace(events::text, 'crm.proposal.sent', 'crm.proposal.converted')::json
          WHERE events::text LIKE ${`%${made.proposal}%`}`,
    ],
    [
      'a quote is ordered if it has an order that is not cancelled',
      () => sql`UPDATE sales_orders SET quote_id = ${made.quote} WHERE id = ${made.order}`,
    ],
    [
      'the status of an order matches the progress of its lines',
      () => sql`UPDATE sales_lines SET qty_invoiced = 1 WHERE sales_order_id = ${made.order}`,
    ],
    [
      'a completed order is delivered and invoiced, a cancelled order is neither',
      () => sql`UPDATE sales_orders SET status = 'completed' WHERE id = ${made.order}`,
    ],
    [
      'only active orders have reserved goods',
      () => sql`UPDATE order_reservations SET state = 'released' WHERE sales_order_id = ${made.order}`,
    ],
    [
      'no saga is open for more than a minute',
      () => sql`UPDATE order_reservations SET state = 'requested', since = now() - interval '2 minutes'
        WHERE sales_order_id = ${made.order}`,
    ],
    [
      'an order is confirmed together with its reservation',
      () => sql`UPDATE order_reservations SET state = 'requested' WHERE sales_order_id = ${made.order}`,
    ],
  ])('detects a violation of the rule: %s', async (check, tamper) => {
    await tamper();
    expect(await violatedRules()).toContain(check);
  });

  test('has a unique sentence for each rule', () => {
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
  });
});
