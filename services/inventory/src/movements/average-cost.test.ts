import { beforeEach, describe, expect, test } from '@jest/globals';
import { auditViolations, issueOf, openInventory, receiptOf, rpcOf, type Shop } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openInventory();
let shop: Shop;
let product_id: string;
beforeEach(async () => {
  shop = await openShop();
  product_id = await shop.product();
});

const place = () => ({ product_id, warehouse_id: shop.warehouse });
const receive = (qty: string, cost: string, type = 'purchase_invoice') =>
  shop.rpc.receiveStock({
    ...receiptOf(crypto.randomUUID(), [{ ...place(), qty, cost }]),
    source: { type, id: crypto.randomUUID(), number: '' },
  });
const issue = async (qty: string) => {
  const { lines } = await shop.rpc.issueStock(issueOf(crypto.randomUUID(), [{ ...place(), qty }]));
  return lines[0]!;
};
const average = async () => {
  const { body } = await shop.owner.get(`/api/product-stocks?product_id=${product_id}`);
  const { on_hand, value, average_cost } = body.data[0];
  return [on_hand, value, average_cost];
};

describe('the moving average', () => {
  // Worked example G11.
  test('rises to 5.96875 with receipts, and with returns at the cost of their sale', async () => {
    await receive('10', '50.00');
    await receive('5', '32.50');
    expect(await average()).toEqual(['15', '82.50', '5.50']);
    expect(await issue('4')).toMatchObject({ qty: '4', unit_cost: '5.5', cost: '22.00' });
    expect(await average()).toEqual(['11', '60.50', '5.50']);
    await receive('1', '5.50', 'sales_return');
    expect(await average()).toEqual(['12', '66.00', '5.50']);
    await receive('3', '24.00');
    expect(await average()).toEqual(['15', '90.00', '6.00']);
    await receive('1', '5.50', 'sales_return');
    expect(await average()).toEqual(['16', '95.50', '5.96875']);
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('loses no cent, because the last issue takes the remaining value', async () => {
    await receive('3', '10.00');
    expect([(await issue('1')).cost, (await issue('1')).cost, (await issue('1')).cost]).toEqual([
      '3.33',
      '3.34',
      '3.33',
    ]);
    expect(await average()).toEqual(['0', '0.00', '0.00']);
  });

  test('values several lines of one product in sequence', async () => {
    await receive('3', '10.00');
    const lines = [{ ...place() }, { ...place(), qty: '2' }];
    const moved = await shop.rpc.issueStock(issueOf(crypto.randomUUID(), lines));
    expect(moved.lines.map(({ cost }) => cost)).toEqual(['3.33', '6.67']);
  });

  test('posts the remaining value of a reversed receipt as an adjustment for finance', async () => {
    const key = crypto.randomUUID();
    await receive('10', '50.00');
    await shop.rpc.receiveStock(receiptOf(key, [{ ...place(), qty: '10', cost: '70.00' }]));
    expect((await issue('10')).cost).toBe('60.00');
    await shop.rpc.reverseReceipt({ idempotency_key: key, business_date: '2026-02-01' });
    expect(await average()).toEqual(['0', '0.00', '0.00']);
    const rows = await serving.sql`
      SELECT reason, qty::int, value::float FROM stock_movements
      WHERE product_id = ${product_id} AND qty = 0`;
    expect(rows).toEqual([{ reason: 'adjustment', qty: 0, value: 10 }]);
    const events = await serving.sql`
      SELECT data FROM journal_events WHERE workspace_id = ${shop.workspace} AND type = 'inventory.adjustment.recorded'`;
    expect(events).toEqual([
      { data: expect.objectContaining({ product_id, value: '10', business_date: '2026-02-01' }) },
    ]);
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('is the purchase price for negative stock, and the next receipt corrects it', async () => {
    product_id = await shop.product({ allow_negative: true, purchase_price: '4.00' });
    expect((await issue('3')).cost).toBe('12.00');
    expect(await average()).toEqual(['-3', '-12.00', '4.00']);
    await receive('10', '50.00');
    expect(await average()).toEqual(['7', '35.00', '5.00']);
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('uses the decimals of the workspace currency', async () => {
    const yen = shop.member();
    yen.caller.currency = 'JPY';
    const rpc = rpcOf(serving, yen);
    await expect(rpc.receiveStock(receiptOf('x', [{ ...place(), qty: '3', cost: '10.5' }]))).rejects.toMatchObject({
      status: 422,
      errors: { 'lines.0.cost': [expect.any(String)] },
    });
    await rpc.receiveStock(receiptOf('x', [{ ...place(), qty: '3', cost: '10' }]));
    const moved = await rpc.issueStock(issueOf('y', [{ ...place() }]));
    expect(moved.lines[0]).toMatchObject({ cost: '3', unit_cost: '3' });
  });
});
