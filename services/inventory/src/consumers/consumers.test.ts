import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { eventPublisher } from '@suite/testing';
import { auditViolations, everything, openInventory } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openInventory();
const { say } = await eventPublisher(serving);

const provision = (workspace_id: string) =>
  say(
    workspace_id,
    'platform.workspace.provisioned',
    {
      workspace_id,
      name: 'Initech',
      timezone: 'Europe/Paris',
      currency: 'EUR',
      fiscal_year_start: '01-01',
      owner_id: randomUUID(),
    },
    { times: 2 },
  );
const names = async (workspace: string, path: string): Promise<string[]> => {
  const member = serving.member({ can: everything, modules: ['products', 'warehouse'], workspace });
  return (await member.get(`${path}?sort=name`)).body.data.map(({ name }: { name: string }) => name);
};

describe('a new workspace', () => {
  test('has a default warehouse, units and a category, and no taxes', async () => {
    const workspace = randomUUID();
    await provision(workspace);
    await provision(workspace);
    expect(await names(workspace, '/api/warehouse')).toEqual(['Main warehouse']);
    expect(await names(workspace, '/api/units')).toEqual([
      'Day',
      'Dozen',
      'Gram',
      'Hour',
      'Kilogram',
      'Litre',
      'Metre',
      'Piece',
    ]);
    expect(await names(workspace, '/api/product/category')).toEqual(['General']);
    expect(await names(workspace, '/api/tax')).toEqual([]);
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('preserves records that its users created first', async () => {
    const { workspace, owner } = await openShop();
    await owner.post('/api/unit/create', { name: 'Box', symbol: 'bx' });
    await provision(workspace);
    expect(await names(workspace, '/api/warehouse')).toEqual(['Annex', 'Main']);
    expect(await names(workspace, '/api/units')).toEqual(['Box']);
  });
});

test('releases the reservations of a cancelled order', async () => {
  const shop = await openShop();
  const product_id = await shop.product({}, { qty: '5' });
  const source = { type: 'sales_order', id: randomUUID(), number: 'SO-1' };
  const lines = [{ line_id: '1', product_id, warehouse_id: shop.warehouse, qty: '3' }];
  await shop.rpc.reserve({ idempotency_key: source.id, source, lines, expires_at: '' });
  expect(await shop.level(product_id)).toMatchObject({ reserved: '3' });
  const event = { sales_order_id: source.id, number: 'SO-1' };
  await say(shop.workspace, 'crm.sales_order.cancelled', event, { times: 2 });
  expect(await shop.level(product_id)).toMatchObject({ reserved: '0' });
  expect(await auditViolations(serving)).toEqual([]);
});
