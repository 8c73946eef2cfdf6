import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { rejectStatements, findPostponed, freezeClock } from '@suite/testing';
import { auditViolations, openInventory, type Shop } from '../../test/fixture.ts';
import { expireReservations } from './expiry.ts';

const { serving, shop } = await openInventory();
const sweep = () => expireReservations(serving.tools as never);

/** Creates a reservation that has already expired. */
async function createExpired({ rpc, product, warehouse: warehouse_id }: Shop) {
  const product_id = await product({}, { qty: '10', unit_cost: '5.00' });
  const source = { type: 'sales_order', id: randomUUID(), number: 'SO-1' };
  const lines = [{ line_id: '1', product_id, warehouse_id, qty: '2' }];
  await rpc.reserve({ idempotency_key: source.id, source, expires_at: '2026-01-01T00:00:00Z', lines });
  return source.id;
}
const statusOf = async (source_id: string) =>
  (await serving.sql<{ status: string }>`SELECT status FROM reservations WHERE source_id = ${source_id}`)[0]?.status;

describe('the expiry of reservations', () => {
  test('retries failing expirations later without delaying other workspaces', async () => {
    const still = freezeClock('2090-01-01T08:00:00Z');
    const [broken, sound] = [await shop(), await shop()];
    const cure = await rejectStatements(serving, 'reservations', broken.workspace);
    const [stuck, first] = [await createExpired(broken), await createExpired(sound)];
    await sweep();
    expect([await statusOf(stuck), await statusOf(first)]).toEqual(['active', 'expired']);
    const second = await createExpired(sound);
    await sweep();
    expect([await statusOf(stuck), await statusOf(second)]).toEqual(['active', 'expired']);
    expect(await findPostponed(serving, 'inventory.expire-reservations', broken.workspace)).toEqual([{ attempts: 1 }]);
    await cure();
    still.goTo('2090-01-01T08:01:00Z');
    await sweep();
    expect(await statusOf(stuck)).toBe('expired');
    expect(await findPostponed(serving, 'inventory.expire-reservations', broken.workspace)).toEqual([]);
    expect(await auditViolations(serving)).toEqual([]);
  });
});
