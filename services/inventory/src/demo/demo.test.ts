import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { auditViolations, everything, openInventory } from '../../test/fixture.ts';

const { serving } = await openInventory();
const directory = mkdtempSync(join(tmpdir(), 'suite-demo-'));
afterAll(() => rmSync(directory, { recursive: true }));

const owner = () => ({ id: randomUUID(), role: 'owner', kind: 'owner', name: 'Olga', email: 'olga@demo.test' });
const [large, small] = [
  { id: randomUUID(), name: 'Northwind', users: [owner()] },
  { id: randomUUID(), name: 'Globex', users: [owner()] },
];

/** Runs the command as the launcher does. */
function run(content: object | null = { workspaces: [large, small] }) {
  const file = join(directory, `${randomUUID()}.json`);
  if (content) writeFileSync(file, JSON.stringify(content));
  const program = fileURLToPath(new URL('./main.ts', import.meta.url));
  const env = { DATABASE_URL: serving.database_url, DEMO_FILE: file };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const counts = async (workspace: string) => {
  const [row] = await serving.sql`
    SELECT (SELECT count(*)::int FROM products WHERE workspace_id = ${workspace}) AS products,
      (SELECT count(*)::int FROM transfers WHERE workspace_id = ${workspace}) AS transfers,
      (SELECT count(*)::int FROM stock_adjustments WHERE workspace_id = ${workspace} AND reason <> 'opening') AS losses,
      (SELECT count(*)::int FROM pos_orders WHERE workspace_id = ${workspace}) AS pos_orders`;
  return row;
};
const first = run();

describe('the demo', () => {
  test('adds data to its workspaces', async () => {
    expect(first).toEqual({ status: 0, stdout: 'The demo has 52 products, with stock and POS orders.\n', stderr: '' });
    expect(await counts(large.id)).toEqual({ products: 40, transfers: 8, losses: 6, pos_orders: 30 });
    expect(await counts(small.id)).toEqual({ products: 12, transfers: 2, losses: 1, pos_orders: 4 });
    const member = serving.member({ can: everything, modules: ['products', 'warehouse', 'pos'], workspace: large.id });
    expect((await member.get('/api/warehouse?sort=name')).body.data).toMatchObject([
      { name: 'Main warehouse', is_default: true },
      { code: 'OUT' },
      { code: 'SHOW' },
    ]);
    expect((await member.get('/api/pos?status=refunded')).body.meta.total).toBe(1);
  });

  test('passes all audit checks', async () => {
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('changes nothing when it runs again', async () => {
    expect(run()).toMatchObject({ status: 0, stdout: 'The demo products already exist.\n' });
    expect(await counts(large.id)).toMatchObject({ products: 40 });
  });

  test('creates the same data on every machine', async () => {
    const again = { ...large, id: randomUUID() };
    run({ workspaces: [again] });
    const stock = (workspace: string) =>
      serving.sql`
        SELECT sku, code, on_hand, value FROM stock_levels AS level
        JOIN products ON products.id = product_id JOIN warehouses ON warehouses.id = warehouse_id
        WHERE level.workspace_id = ${workspace} ORDER BY sku, code`;
    expect(await stock(again.id)).toEqual(await stock(large.id));
  });

  test('reports missing settings in one sentence', () => {
    expect(run(null)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('make platform’s demo first'.replace('’', "'")),
    });
  });
});
