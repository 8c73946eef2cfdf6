import { describe, expect, test } from '@jest/globals';
import { seedRandom, isChosen, randomNumber, pickOne } from '@suite/demo';
import { type Member, memberOf, runConcurrently } from '@suite/testing';
import { auditViolations, type InventoryRpc, issueOf, openInventory, receiptOf, rpcOf } from '../../test/fixture.ts';

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
const place = () => ({ product_id: pickOne(products), warehouse_id: pickOne(warehouses) });
const amount = () => String(randomNumber(1, 5));
const lines = () => Array.from({ length: randomNumber(1, 4) }, () => ({ ...place(), qty: amount() }));
const goods = (some = products) => lines().map(({ qty }) => ({ product_id: pickOne(some), qty }));

type RandomRequest = () => Promise<string> | string;

/** Returns the requests of users. */
function userRequests(owner: Member): RandomRequest[] {
  const send = async (path: string, body: object, ids: string[] = []): Promise<string> => {
    const reply = await owner.post(path, body);
    if (reply.status === 201) ids.push(reply.body.data.id);
    return reply.status < 300 ? 'fine' : reply.body.code;
  };
  const reverseTransfer = async (id: string): Promise<string> =>
    (await owner.delete(`/api/transfer/delete/${id}`)).body.code ?? 'fine';
  const between = () => {
    const [from_warehouse_id, to_warehouse_id] = isChosen(0.5) ? warehouses : warehouses.toReversed();
    return { from_warehouse_id, to_warehouse_id, lines: goods(products.slice(0, 3)) };
  };
  const refundPart = async (id: string): Promise<string> => {
    const { lines: sold } = (await owner.get(`/api/pos/show/${id}`)).body.data;
    const part = { line_id: pickOne(sold as { id: string }[]).id, qty: '1', restock: isChosen(0.5) };
    return await send(`/api/pos/refund/${id}`, isChosen(0.3) ? {} : { lines: [part] });
  };
  const payments = [{ method: 'cash', amount: '1000' }];
  return [
    () => send('/api/product-stock/add', { ...place(), qty: amount(), unit_cost: `${randomNumber(1, 9)}.37` }),
    () => send('/api/product-stock/add', { ...place(), qty: `-${amount()}` }),
    () => send('/api/transfer/create', between(), made.transfers),
    () => (made.transfers.length ? reverseTransfer(pickOne(made.transfers)) : 'fine'),
    () => send('/api/pos/create', { lines: goods(), payments }, made.sales),
    () => (made.sales.length ? refundPart(pickOne(made.sales)) : 'fine'),
  ];
}

/** Returns the requests of other services. */
function serviceRequests(rpc: InventoryRpc): RandomRequest[] {
  const outcomeOf = async (call: Promise<unknown>): Promise<string> => {
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
  const undo = () => ({ idempotency_key: pickOne([...made.keys, fresh()]), business_date: '' });
  return [
    () => outcomeOf(rpc.receiveStock(receiptOf(fresh(), priced()))),
    () => outcomeOf(rpc.issueStock({ ...issueOf(fresh(), reserving()), reserved_for: pickOne(orders) })),
    () => outcomeOf(rpc.reverseIssue(undo())),
    () => outcomeOf(rpc.reverseReceipt(undo())),
    () =>
      outcomeOf(rpc.reserve({ idempotency_key: fresh(), source: pickOne(orders), expires_at: '', lines: numbered() })),
    () => outcomeOf(rpc.release({ idempotency_key: isChosen(0.5) ? fresh() : '', source: pickOne(orders) })),
  ];
}

/** Returns the value of stock, and the value reported to finance in responses and events. */
async function worth() {
  const [row] = await serving.sql<{ stock: string; reported: string }>`
    WITH reported AS (
      SELECT sum((data ->> 'value')::numeric) AS value FROM journal_events WHERE type = 'inventory.adjustment.recorded'
      UNION ALL SELECT -sum((data ->> 'cost')::numeric) FROM journal_events WHERE type = 'inventory.pos_order.paid'
      UNION ALL SELECT sum((data ->> 'restocked_cost')::numeric) FROM journal_events WHERE type = 'inventory.pos_order.refunded'
      UNION ALL SELECT sum((line ->> 'cost')::numeric)
        FROM rpc_keys, jsonb_array_elements(answer -> 'lines') AS line WHERE method IN ('ReceiveStock', 'ReverseIssue')
      UNION ALL SELECT -sum((line ->> 'cost')::numeric)
        FROM rpc_keys, jsonb_array_elements(answer -> 'lines') AS line WHERE method IN ('IssueStock', 'ReverseReceipt'))
    SELECT (SELECT trim_scale(sum(value))::text FROM stock_levels) AS stock, trim_scale(sum(value))::text AS reported FROM reported`;
  return row!;
}

describe('concurrent requests', () => {
  test('leave stock equal to the reported value, on two replicas', async () => {
    seedRandom(99);
    const otherMember = memberOf(
      { name: 'inventory', url: others[0]!.url, gateway: serving.gateway },
      shop.owner.caller,
    );
    const here = [...userRequests(shop.owner), ...serviceRequests(shop.rpc)];
    const there = [...userRequests(otherMember), ...serviceRequests(rpcOf(others[0]!, shop.owner))];
    const outcomes = new Set<string>();
    for (let round = 0; round < 25; round += 1) {
      const results = await runConcurrently(12, async (at) => await pickOne(at % 2 ? here : there)());
      for (const outcome of results) outcomes.add(outcome);
    }
    expect(await auditViolations(serving)).toEqual([]);
    const { stock, reported } = await worth();
    expect(reported).toBe(stock);
    expect([...outcomes].filter((outcome) => !ANSWERS.has(outcome))).toEqual([]);
    expect(outcomes).toContain('insufficient_stock');
    expect(Math.min(made.transfers.length, made.sales.length)).toBeGreaterThan(3);
  });
});
