import { beforeEach, describe, expect, test } from '@jest/globals';
import { openCrm, type Shop } from '../../test/fixture.ts';
import { selling } from '../../test/sales.ts';
import { checks } from './audit.ts';

const { serving, shop: openShop, violations } = await openCrm();
const { sql } = serving;
let shop: Shop;
let sales: ReturnType<typeof selling>;
let made: { quote: string; order: string; proposal: string };
beforeEach(async () => {
  shop = await openShop();
  sales = selling(shop);
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

const broken = async () => [...new Set((await violations(shop)).map(({ check }) => check))];

describe('the auditor', () => {
  test('finds nothing where all is well', async () => {
    expect(await broken()).toEqual([]);
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
      'a line comes to its net and its tax, and its net is what is left of its price',
      () => sql`UPDATE sales_lines SET gross = gross + 1 WHERE quote_id = ${made.quote}`,
    ],
    [
      "a line's tax is the sum of its taxes",
      () => sql`UPDATE sales_lines SET tax = 1, net = net - 1 WHERE quote_id = ${made.quote}`,
    ],
    [
      'numbers have no gap: as many were given as the counter says, the last of them the highest',
      () => sql`UPDATE number_counters SET last = 7 WHERE workspace_id = ${shop.workspace} AND type = 'quote'`,
    ],
    [
      'a proposal announces its conversion once, and once more for each draft invoice that was deleted',
      () => sql`UPDATE outbox SET type = 'crm.proposal.converted' WHERE aggregate_id = ${made.proposal}`,
    ],
    [
      'a quote is ordered when there is an order of it that was not cancelled',
      () => sql`UPDATE sales_orders SET quote_id = ${made.quote} WHERE id = ${made.order}`,
    ],
    [
      'an order shows how far its lines have come',
      () => sql`UPDATE sales_lines SET qty_invoiced = 1 WHERE sales_order_id = ${made.order}`,
    ],
    [
      'what is completed is delivered and invoiced, and what is cancelled is neither',
      () => sql`UPDATE sales_orders SET status = 'completed' WHERE id = ${made.order}`,
    ],
    [
      'only orders that are under way hold goods',
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
  ])('sees when it is not so that %s', async (check, tamper) => {
    await tamper();
    expect(await broken()).toContain(check);
  });

  test('has a sentence of its own for each rule', () => {
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
  });
});
