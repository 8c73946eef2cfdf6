import { beforeEach, describe, expect, test } from '@jest/globals';
import { retryPostponed, runConcurrently } from '@suite/testing';
import { auditViolations, issueOf, openInventory, receiptOf, rpcOf, type Shop } from '../../test/fixture.ts';

const { serving, others, shop: openShop } = await openInventory({ replicas: 2 });
const replicas = [serving, ...others];
let shop: Shop;
let product_id: string;
const key = () => crypto.randomUUID();
const place = () => ({ product_id, warehouse_id: shop.warehouse });
beforeEach(async () => {
  shop = await openShop();
  product_id = await shop.product({}, { qty: '10', unit_cost: '5.00' });
});

/** Returns a client for the same caller on one of the replicas. */
const rpc = (at: number) => rpcOf(replicas[at % replicas.length]!, shop.owner);
const outcome = async (call: () => Promise<unknown>): Promise<string> => {
  try {
    await retryPostponed(call);
    return 'done';
  } catch (error) {
    return (error as { code: string }).code;
  }
};
/** Returns the outcome of an issue, retried with one key until it is final. */
const issueUntilFinal = (at: number, lines: Parameters<typeof issueOf>[1]): Promise<string> => {
  const request = issueOf(key(), lines);
  return outcome(() => rpc(at).issueStock(request));
};
const count = <T>(all: readonly T[], one: T) => all.filter((other) => other === one).length;

describe('an issue', () => {
  // Worked example G13.
  test('is rejected as a whole if two lines of 6 exceed a stock of 10', async () => {
    const lines = [
      { ...place(), qty: '6' },
      { ...place(), qty: '6' },
    ];
    const lacking = { ...place(), requested: '12', available: '10' };
    await expect(shop.rpc.issueStock(issueOf(key(), lines))).rejects.toMatchObject({
      status: 409,
      code: 'insufficient_stock',
      details: {
        lines: [
          { line_id: 'line 0', ...lacking },
          { line_id: 'line 1', ...lacking },
        ],
      },
    });
    expect(await shop.level(product_id)).toEqual({ on_hand: '10', reserved: '0', value: '50' });
  });

  test('reports only the lines without sufficient stock', async () => {
    const scarce = await shop.product({}, { qty: '1' });
    const lines = [place(), { product_id: scarce, warehouse_id: shop.warehouse, qty: '2' }];
    await expect(shop.rpc.issueStock(issueOf(key(), lines))).rejects.toMatchObject({
      details: { lines: [{ line_id: 'line 1', product_id: scarce, requested: '2', available: '1' }] },
    });
  });

  test('is posted once for a key, and returns the same response on any replica', async () => {
    const request = issueOf(key(), [{ ...place(), qty: '2' }]);
    const answers = await runConcurrently(20, (at) => rpc(at).issueStock(request));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '8', value: '40' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('is rejected with the key of another issue, except in another workspace', async () => {
    const request = issueOf(key(), [place()]);
    await shop.rpc.issueStock(request);
    const other = { ...request, lines: [{ ...request.lines[0]!, qty: '2' }] };
    await expect(shop.rpc.issueStock(other)).rejects.toMatchObject({ status: 409, code: 'key_reused' });
    const elsewhere = await openShop();
    const otherProduct = await elsewhere.product({}, { qty: '1' });
    const lines = [{ product_id: otherProduct, warehouse_id: elsewhere.warehouse }];
    await elsewhere.rpc.issueStock(issueOf(request.idempotency_key, lines));
  });

  test('returns the same response in a dry run and changes nothing', async () => {
    const request = issueOf(key(), [{ ...place(), qty: '4' }]);
    const preview = await shop.rpc.issueStock({ ...request, dry_run: true });
    expect(preview.lines).toMatchObject([{ qty: '4', cost: '20.00' }]);
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '10' });
    expect(await shop.rpc.issueStock(request)).toEqual(preview);
    const much = issueOf(key(), [{ ...place(), qty: '7' }]);
    await expect(shop.rpc.issueStock({ ...much, dry_run: true })).rejects.toMatchObject({ code: 'insufficient_stock' });
  });

  test('has no movements and no cost for services and untracked products', async () => {
    const service = await shop.product({ type: 'service' });
    const uncounted = await shop.product({ track_stock: false });
    const warehouse_id = shop.warehouse;
    const lines = [place(), { product_id: service, warehouse_id }, { product_id: uncounted, warehouse_id }];
    const moved = await shop.rpc.issueStock(issueOf(key(), lines));
    expect(moved.lines.map(({ cost, unit_cost }) => [cost, unit_cost])).toEqual([
      ['5.00', '5'],
      ['0.00', '0'],
      ['0.00', '0'],
    ]);
    expect(await serving.sql`SELECT FROM stock_movements WHERE product_id = ANY(${[service, uncounted]})`).toEqual([]);
  });

  test('needs few statements for ten lines', async () => {
    const lines = await Promise.all(
      Array.from({ length: 10 }, async () => ({
        product_id: await shop.product({}, { qty: '3' }),
        warehouse_id: shop.warehouse,
      })),
    );
    const before = serving.database.statements;
    await shop.rpc.issueStock(issueOf(key(), lines));
    expect(serving.database.statements - before).toBeLessThanOrEqual(6);
  });

  test.each([
    ['an unknown product', () => ({ product_id: key() }), 'lines.0.product_id'],
    ['an unknown warehouse', () => ({ warehouse_id: key() }), 'lines.0.warehouse_id'],
    ['a quantity of zero', () => ({ qty: '0' }), 'lines.0.qty'],
    ['a negative quantity', () => ({ qty: '-1' }), 'lines.0.qty'],
    ['an invalid quantity', () => ({ qty: 'x' }), 'lines.0.qty'],
    ['too many decimals', () => ({ qty: '1.0000001' }), 'lines.0.qty'],
  ])('is rejected for %s', async (_, wrong, field) => {
    await expect(shop.rpc.issueStock(issueOf(key(), [{ ...place(), ...wrong() }]))).rejects.toMatchObject({
      status: 422,
      errors: { [field]: [expect.any(String)] },
    });
  });

  test("is rejected for another workspace's product like for an unknown product", async () => {
    const elsewhere = await openShop();
    const otherProduct = await elsewhere.product({}, { qty: '1' });
    const lines = [{ product_id: otherProduct, warehouse_id: shop.warehouse }];
    await expect(shop.rpc.issueStock(issueOf(key(), lines))).rejects.toMatchObject({ status: 422 });
  });
});

describe('a reversal', () => {
  test('returns issued goods once, at the value at which they were issued', async () => {
    const request = issueOf(key(), [{ ...place(), qty: '4' }]);
    await shop.rpc.issueStock(request);
    await shop.rpc.receiveStock(receiptOf(key(), [{ ...place(), qty: '4', cost: '100.00' }]));
    const undo = { idempotency_key: request.idempotency_key, business_date: '2026-01-16' };
    const answers = await runConcurrently(10, (at) => rpc(at).reverseIssue(undo));
    for (const { lines } of answers) expect(lines).toMatchObject([{ line_id: 'line 0', qty: '4', cost: '20.00' }]);
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '14', value: '150' });
    await expect(shop.rpc.issueStock(request)).rejects.toMatchObject({ status: 409, code: 'key_reversed' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('blocks the key of an unknown issue', async () => {
    const request = issueOf(key(), [place()]);
    const undo = { idempotency_key: request.idempotency_key, business_date: '' };
    expect(await shop.rpc.reverseIssue(undo)).toEqual({ lines: [] });
    expect(await shop.rpc.reverseIssue(undo)).toEqual({ lines: [] });
    await expect(shop.rpc.issueStock(request)).rejects.toMatchObject({ status: 409, code: 'key_reversed' });
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '10' });
  });

  test('leaves everything or nothing if it is concurrent with the issue', async () => {
    const request = issueOf(key(), [{ ...place(), qty: '3' }]);
    const undo = { idempotency_key: request.idempotency_key, business_date: '' };
    const outcomes = await runConcurrently(16, (at) =>
      outcome(async () => (at % 2 ? await rpc(at).reverseIssue(undo) : await rpc(at).issueStock(request))),
    );
    expect(new Set(outcomes).isSubsetOf(new Set(['done', 'key_reversed']))).toBe(true);
    expect(await shop.level(product_id)).toEqual({ on_hand: '10', reserved: '0', value: '50' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('requires that the goods of a receipt are still in stock', async () => {
    const request = receiptOf(key(), [{ ...place(), qty: '5', cost: '40.00' }]);
    const received = await shop.rpc.receiveStock(request);
    expect(received.lines).toMatchObject([{ qty: '5', unit_cost: '8', cost: '40.00' }]);
    expect(await shop.rpc.receiveStock(request)).toEqual(received);
    const issued = issueOf(key(), [{ ...place(), qty: '11' }]);
    await shop.rpc.issueStock(issued);
    const undo = { idempotency_key: request.idempotency_key, business_date: '' };
    await expect(shop.rpc.reverseReceipt(undo)).rejects.toMatchObject({ code: 'insufficient_stock' });
    await shop.rpc.reverseIssue({ ...undo, idempotency_key: issued.idempotency_key });
    expect((await shop.rpc.reverseReceipt(undo)).lines).toMatchObject([{ qty: '5', cost: '40.00' }]);
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '10', value: '50' });
    await expect(shop.rpc.receiveStock(request)).rejects.toMatchObject({ code: 'key_reversed' });
    expect(await auditViolations(serving)).toEqual([]);
  });
});

describe('concurrent movements', () => {
  test('issue exactly the ten units in stock for 50 buyers on two replicas', async () => {
    const outcomes = await runConcurrently(50, (at) => issueUntilFinal(at, [place()]));
    expect([count(outcomes, 'done'), count(outcomes, 'insufficient_stock')]).toEqual([10, 40]);
    expect(await shop.level(product_id)).toEqual({ on_hand: '0', reserved: '0', value: '0' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('cause no deadlock for products in opposite order', async () => {
    const second = await shop.product({}, { qty: '100' });
    await shop.add(product_id, '90', { unit_cost: '5' });
    const basket = [place(), { product_id: second, warehouse_id: shop.warehouse }];
    const outcomes = await runConcurrently(40, (at) => issueUntilFinal(at, at % 3 ? basket : basket.toReversed()));
    expect(count(outcomes, 'done')).toBe(40);
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '60' });
    expect(await shop.level(second)).toMatchObject({ on_hand: '60' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('create one stock level for the first receipts of a product', async () => {
    const fresh = await shop.product();
    const line = { product_id: fresh, warehouse_id: shop.other, cost: '2.00' };
    await runConcurrently(20, (at) => rpc(at).receiveStock(receiptOf(`${fresh} ${at}`, [line])));
    expect(await shop.level(fresh, shop.other)).toMatchObject({ on_hand: '20', value: '40' });
    expect(await auditViolations(serving)).toEqual([]);
  });
});
