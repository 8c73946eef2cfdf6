import { randomUUID } from 'node:crypto';
import { type IdempotentRequest, methodConformance } from '@suite/testing';
import { issueOf, openInventory, receiptOf } from '../../test/fixture.ts';
import { inventoryRpc } from './inventory.rpc.ts';

const { serving, shop: openShop } = await openInventory();

interface MethodSample {
  place: { product_id: string; warehouse_id: string };
  key: string;
}

/** Creates a shop with stock and the requests of all methods. */
async function sample<R extends { idempotency_key: string }>(
  ask: (given: MethodSample) => R,
  change: object,
): Promise<IdempotentRequest> {
  const shop = await openShop();
  const product_id = await shop.product({}, { qty: '10', unit_cost: '5.00' });
  const request = ask({ key: randomUUID(), place: { product_id, warehouse_id: shop.warehouse } });
  return { caller: shop.owner.caller, request, other: { ...request, ...change } };
}

const nextDay = { business_date: '2026-01-16' };
const source = (id: string) => ({ type: 'sales_order', id, number: '' });

methodConformance({
  name: 'inventory',
  serving,
  served: inventoryRpc,
  idempotent: {
    issueStock: () => sample(({ key, place }) => issueOf(key, [place]), nextDay),
    receiveStock: () => sample(({ key, place }) => receiptOf(key, [place]), nextDay),
    reverseIssue: () => sample(({ key }) => ({ idempotency_key: key, business_date: '2026-01-15' }), nextDay),
    reverseReceipt: () => sample(({ key }) => ({ idempotency_key: key, business_date: '2026-01-15' }), nextDay),
    reserve: () =>
      sample(
        ({ key, place }) => ({
          idempotency_key: key,
          source: source(key),
          expires_at: '',
          lines: [{ line_id: 'line 1', ...place, qty: '1' }],
        }),
        { expires_at: '2099-01-01T00:00:00Z' },
      ),
    release: () =>
      sample(({ key }) => ({ idempotency_key: key, source: source(key) }), { source: source(randomUUID()) }),
  },
});
