import { expect, test } from '@jest/globals';
import { beginWith, happens, randomNumber, oneOf } from '@suite/demo';
import { type Member, memberOf, together } from '@suite/testing';
import { audited, type InventoryRpc, issueOf, openInventory, receiptOf, rpcOf } from '../../test/fixture.ts';

const { serving, others, shop: openShop } = await openInventory({ replicas: 2 });
const shop = await openShop();
const usual = { sale_price: '7.77', purchase_price: '3.33' };
const products = [
  await shop.product(usual, { qty: '120', unit_cost: '3.33' }),
  await shop.product(usual, { qty: '47.5', unit_cost: '9.99' }),
  await shop.product({ ...usual, allow_negative: true }, { qty: '2', unit_cost: '0.01' }),
  await shop.product({ ...usual, type: 'service' }),
];
const warehouses = [shop.warehouse, shop.other];
for (const product_id of products.slice(0, 3)) await shop.add(product_id, '40', { warehouse_id: shop.other });
const orders = Array.from({ length: 6 }, () => ({ type: 'sales_order', id: crypto.randomUUID(), number: '' }));
const made = { transfers: [] as string[], sales: [] as string[], keys: [] as string[] };

/** Allowed outcomes of user requests. All others are failures. */
const ANSWERS = new Set(['fine', 'validation_failed', 'insufficient_stock', 'key_reversed', 'over_refunded']);

const fresh = () => made.keys[made.keys.push(crypto.randomUUID()) - 1]!;
const place = () => ({ product_id: oneOf(products), warehouse_id: oneOf(warehouses) });
const amount = () => String(randomNumber(1, 5));
const lines = () => Array.from({ length: randomNumber(1, 4) }, () => ({ ...place(), qty: amount() }));
const goods = (some = products) => lines().map(({ qty }) => ({ product_id: oneOf(some), qty }));

type Deed = () => Promise<string> | string;

/** Returns the requests of users. */
function byHand(owner: Member): Deed[] {
  const told = async (path: string, body: object, ids: string[] = []): Promise<string> => {
    const reply = await owner.post(path, body);
    if (reply.status === 201) ids.push(reply.body.data.id);
    return reply.status < 300 ? 'fine' : reply.body.code;
  };
  const undone = async (id: string): Promise<string> =>
    (await owner.delete(`/api/transfer/delete/${id}`)).body.code ?? 'fine';
  const between = () => {
    const [from_warehouse_id, to_warehouse_id] = happens(0.5) ? warehouses : warehouses.toReversed();
    return { from_warehouse_id, to_warehouse_id, lines: goods(products.slice(0, 3)) };
  };
  const takeBack = async (id: string): Promise<string> => {
    const { lines: sold } = (await owner.get(`/api/pos/show/${id}`)).body.data;
    const part = { line_id: oneOf(sold as { id: string }[]).id, qty: '1', restock: happens(0.5) };
    return await told(`/api/pos/refund/${id}`, happens(0.3) ? {} : { lines: [part] });
  };
  const payments = [{ method: 'cash', amount: '1000' }];
  return [
    () => told('/api/product-stock/add', { ...place(), qty: amount(), unit_cost: `${randomNumber(1, 9)}.37` }),
    () => told('/api/product-stock/add', { ...place(), qty: `-${amount()}` }),
    () => told('/api/transfer/create', between(), made.transfers),
    () => (made.transfers.length ? undone(oneOf(made.transfers)) : 'fine'),
    () => told('/api/pos/create', { lines: goods(), payments }, made.sales),
    () => (made.sales.length ? takeBack(oneOf(made.sales)) : 'fine'),
  ];
}

/** Returns the requests of other services. */
function byServices(rpc: InventoryRpc): Deed[] {
  const told = async (call: Promise<unknown>): Promise<string> => {
    try {
      await call;
      return 'fine';
    } catch (error) {
      return String((error as { code?: string }).code);
    }
  };
  const priced = () => lines().map((line) => ({ ...line, cost: '13.13' }));
  const reserving = () => lines().map((line, at) => ({ ...line, reserved_line_id: String(at) }));
  const numbered = () => lines().map((line, at) => ({ ...line, line_id: String(at) }));
  const undo = () => ({ idempotency_key: oneOf([...made.keys, fresh()]), business_date: '' });
  return [
    () => told(rpc.receiveStock(receiptOf(fresh(), priced()))),
    () => told(rpc.issueStock({ ...issueOf(fresh(), reserving()), reserved_for: oneOf(orders) })),
    () => told(rpc.reverseIssue(undo())),
    () => told(rpc.reverseReceipt(undo())),
    () => told(rpc.reserve({ idempotency_key: fresh(), source: oneOf(orders), expires_at: '', lines: numbered() })),
    () => told(rpc.release({ idempotency_key: happens(0.5) ? fresh() : '', source: oneOf(orders) })),
  ];
}

/** Returns the value of stock, and the value reported to finance in responses and events. */
async function worth() {
  const [row] = await serving.sql<{ stock: string; told: string }>`
    WITH told AS (
      SELECT sum((data ->> 'value')::numeric) AS value FROM outbox WHERE type = 'inventory.adjustment.recorded'
      UNION ALL SELECT -sum((data ->> 'cost')::numeric) FROM outbox WHERE type = 'inventory.pos_order.paid'
      UNION ALL SELECT sum((data ->> 'restocked_cost')::numeric) FROM outbox WHERE type = 'inventory.pos_order.refunded'
      UNION ALL SELECT sum((line ->> 'cost')::numeric)
        FROM rpc_keys, jsonb_array_elements(answer -> 'lines') AS line WHERE method IN ('ReceiveStock', 'ReverseIssue')
      UNION ALL SELECT -sum((line ->> 'cost')::numeric)
        FROM rpc_keys, jsonb_array_elements(answer -> 'lines') AS line WHERE method IN ('IssueStock', 'ReverseReceipt'))
    SELECT (SELECT trim_scale(sum(value))::text FROM stock_levels) AS stock, trim_scale(sum(value))::text AS told FROM told`;
  return row!;
}

test('matches stock and reported value after concurrent operations on two replicas', async () => {
  beginWith(99);
  const elsewhere = memberOf({ name: 'inventory', url: others[0]!.url, gateway: serving.gateway }, shop.owner.caller);
  const here = [...byHand(shop.owner), ...byServices(shop.rpc)];
  const there = [...byHand(elsewhere), ...byServices(rpcOf(others[0]!, shop.owner))];
  const outcomes = new Set<string>();
  for (let round = 0; round < 25; round += 1) {
    const told = await together(12, async (at) => await oneOf(at % 2 ? here : there)());
    for (const outcome of told) outcomes.add(outcome);
  }
  expect(await audited(serving)).toEqual([]);
  const { stock, told: heard } = await worth();
  expect(heard).toBe(stock);
  expect([...outcomes].filter((outcome) => !ANSWERS.has(outcome))).toEqual([]);
  expect(outcomes).toContain('insufficient_stock');
  expect(Math.min(made.transfers.length, made.sales.length)).toBeGreaterThan(3);
});
