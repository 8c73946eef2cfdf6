import { beforeAll, describe, expect, test } from '@jest/globals';
import { audit } from '@suite/auditor';
import { issueOf, openInventory, type Shop } from '../../test/fixture.ts';
import { checks } from './audit.ts';

const { serving, shop: openShop } = await openInventory();
let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
  const product_id = await shop.product({ sale_price: '10' }, { qty: '20', unit_cost: '2.00' });
  const lines = [{ product_id, qty: '2' }];
  const payments = [{ method: 'cash', amount: '20' }];
  for (let n = 0; n < 2; n += 1) await shop.owner.post('/api/pos/create', { lines, payments });
  const sold = (await shop.owner.post('/api/pos/create', { lines, payments })).body.data;
  const part = { line_id: sold.lines[0].id, qty: '1', restock: false };
  await shop.owner.post(`/api/pos/refund/${sold.id}`, { lines: [part] });
  await shop.owner.post(`/api/pos/refund/${sold.id}`, {});
  const places = { from_warehouse_id: shop.warehouse, to_warehouse_id: shop.other };
  const { body } = await shop.owner.post('/api/transfer/create', { ...places, lines });
  await shop.owner.post('/api/transfer/create', { ...places, lines });
  await shop.owner.delete(`/api/transfer/delete/${body.data.id}`);
  const line = { product_id, warehouse_id: shop.warehouse };
  const source = { type: 'sales_order', id: 'order', number: '' };
  const reserved = { ...line, line_id: '1', qty: '3' };
  await shop.rpc.reserve({ idempotency_key: 'order', source, lines: [reserved], expires_at: '' });
  await shop.rpc.issueStock(issueOf('kept', [line]));
  await shop.rpc.issueStock(issueOf('undone', [line]));
  await shop.rpc.reverseIssue({ idempotency_key: 'undone', business_date: '' });
});

/** Returns the rules that an owner's statement violates. The statement is rolled back. */
async function violatedRules(statement: string): Promise<string[]> {
  const client = await serving.admin.connect();
  try {
    await client.query('BEGIN');
    // The database owner can drop the constraints that prevent this state.
    await client.query('ALTER TABLE stock_levels DROP CONSTRAINT stock_levels_available_check');
    await client.query('ALTER TABLE stock_levels DROP CONSTRAINT stock_levels_value_check');
    await client.query('ALTER TABLE pos_orders DROP CONSTRAINT pos_orders_total_check');
    await client.query(statement);
    const found: string[] = [];
    for (const { name, sql } of checks) if ((await client.query(sql)).rowCount) found.push(name);
    return found;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

describe('the auditor', () => {
  test('finds nothing in valid data', async () => {
    expect(await violatedRules('SELECT 1')).toEqual([]);
    expect(await audit(serving.database_url, checks)).toEqual([]);
    expect(await audit(serving.database_url, checks, shop.workspace)).toEqual([]);
  });

  test.each([
    [
      'stock without a movement',
      'UPDATE stock_levels SET on_hand = on_hand + 1',
      'stock levels are the sum of their movements',
    ],
    ['a deleted stock level', 'DELETE FROM stock_levels', 'stock levels are the sum of their movements'],
    [
      'value from nowhere',
      'UPDATE stock_levels SET value = value + 0.01',
      'stock levels are the sum of their movements',
    ],
    ['a reservation without stock', 'UPDATE stock_levels SET reserved = 1000', 'reserved stock is on hand'],
    [
      'a level that allows negative stock',
      'UPDATE stock_levels SET allow_negative = TRUE',
      'reserved stock is on hand',
    ],
    [
      'reserved stock without a reservation',
      'UPDATE stock_levels SET reserved = reserved + 1',
      'reserved quantities match',
    ],
    ['a reservation that holds nothing', "UPDATE reservations SET status = 'released'", 'reserved quantities match'],
    ['goods that are worth less than nothing', 'UPDATE stock_levels SET value = -1', 'zero stock has zero value'],
    ['a service that moved', 'UPDATE products SET track_stock = FALSE', 'services and products whose stock'],
    ['an adjustment of another value', 'UPDATE stock_adjustments SET value = value + 1', 'an adjustment is worth'],
    ['no default warehouse', 'UPDATE warehouses SET is_default = FALSE', 'a workspace with warehouses'],
    [
      'a transfer that lost goods',
      "UPDATE stock_movements SET qty = qty - 0.5 WHERE reason = 'transfer_in'",
      'a transfer takes as much',
    ],
    [
      'a transfer that lost value',
      "UPDATE stock_movements SET value = value - 1 WHERE reason = 'transfer_in'",
      'a transfer takes as much',
    ],
    [
      'a transfer that only claims to be undone',
      "UPDATE transfers SET status = 'reversed', reversed_at = now()",
      'a transfer takes as much',
    ],
    ['a line that never moved', 'UPDATE transfer_lines SET qty = 1', 'every line of a transfer'],
    [
      'a number that is missing',
      "UPDATE transfers SET number = 'STF-2026-00009' WHERE number LIKE '%2'",
      'numbers of transfers',
    ],
    ['a counter that is ahead', 'UPDATE number_counters SET last = last + 1', 'numbers of pos_orders'],
    [
      'a sale that is not the sum of its lines',
      'UPDATE pos_orders SET net_total = net_total + 1',
      'a POS order is the sum',
    ],
    ['a sale that cost something else', 'UPDATE pos_orders SET cost = cost + 1', 'POS order cost matches'],
    [
      'a sale with a refunded status only',
      "UPDATE pos_orders SET status = 'refunded', refunded_at = now()",
      'POS order cost matches',
    ],
    ['scrap that is back', 'UPDATE pos_refunds SET restocked_cost = cost', 'POS order cost matches'],
    [
      'a fully refunded sale with a partial status',
      "UPDATE pos_orders SET status = 'partially_refunded', refunded_at = NULL WHERE status = 'refunded'",
      'nothing is left',
    ],
    ['refunds that exceed the sale', 'UPDATE pos_refund_lines SET qty = qty + 1', 'nothing is left'],
    ['a refund that is missing', 'UPDATE pos_refunds SET position = 3 WHERE position = 2', 'numbered without a gap'],
    ['money that went back unseen', 'UPDATE pos_orders SET refunded_total = 1', 'numbered without a gap'],
    ['a refund of other lines', 'UPDATE pos_refund_lines SET cost = cost + 1', 'a refund is the sum'],
    ['money that went no way', "UPDATE pos_refunds SET payments = '[]'", 'a refund is the sum'],
    [
      'an answer that did not happen',
      "UPDATE rpc_keys SET answer = jsonb_set(answer, '{lines,0,cost}', '\"9\"') WHERE key = 'kept'",
      'what a request was answered',
    ],
    [
      'an undoing that did not happen',
      "UPDATE rpc_keys SET undone_at = now() WHERE key = 'kept'",
      'what a request was answered',
    ],
    [
      'a reversal without a request',
      "UPDATE rpc_keys SET undone_at = NULL WHERE key = 'undone'",
      'what a request was answered',
    ],
  ])('notices %s', async (_, statement, rule) => {
    expect((await violatedRules(statement)).join('; ')).toContain(rule);
  });

  test('names the workspace of a violation', async () => {
    const client = await serving.admin.connect();
    for (const { sql } of checks) {
      const { fields } = await client.query(`SELECT * FROM (${sql}) AS found LIMIT 0`);
      expect(fields[0]?.name).toBe('workspace_id');
    }
    client.release();
  });
});
