import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { expectCleanBooks } from '../../test/audit.ts';
import { everything, openFinance } from '../../test/fixture.ts';

const { serving } = await openFinance();
const directory = mkdtempSync(join(tmpdir(), 'suite-demo-'));
afterAll(() => rmSync(directory, { recursive: true }));

const owner = () => ({ id: randomUUID(), role: 'owner', kind: 'owner', name: 'Olga Owner', email: 'o@demo.test' });
const large = { id: randomUUID(), name: 'Northwind', currency: 'EUR', users: [owner()] };
const small = { id: randomUUID(), name: 'Globex', currency: 'USD', users: [owner()] };

/** Runs the command as the launcher does. */
function run(content: object | null = { workspaces: [large, small] }) {
  const file = join(directory, `${randomUUID()}.json`);
  if (content) writeFileSync(file, JSON.stringify(content));
  const program = fileURLToPath(new URL('./main.ts', import.meta.url));
  const env = { DATABASE_URL: serving.database_url, DEMO_FILE: file };
  return spawnSync(process.execPath, [program], { env, encoding: 'utf8' });
}

describe('the finance demo', () => {
  test('creates consistent customers, vendors, banks and months of entries once', async () => {
    expect(run()).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('journal entries') });
    expect(run()).toMatchObject({ status: 0, stdout: 'The demo has its books already.\n' });
    const owner = serving.member({ workspace: large.id, can: everything, modules: ['accounting', 'sales_agent'] });
    const total = async (path: string): Promise<number> => (await owner.get(path)).body.meta.total;
    expect(await total('/api/customers')).toBe(40);
    expect(await total('/api/vendors')).toBe(15);
    expect(await total('/api/bank-accounts')).toBe(4);
    expect(await total('/api/bank-transfers')).toBe(7);
    expect(await total('/api/agents?active=true')).toBe(1);
    expect(await total('/api/revenues?status=posted')).toBeGreaterThan(25);
    expect(await total('/api/expenses?status=posted')).toBeGreaterThan(30);
    expect(await total('/api/customer-payments')).toBeGreaterThan(2);
    expect((await owner.get('/api/accounting/trial-balance')).body.data).toMatchObject({ difference: '0.00' });
    await expectCleanBooks(serving);
  });

  test('creates the same data on every machine', async () => {
    const again = { ...large, id: randomUUID() };
    run({ workspaces: [again] });
    const amounts = (workspace: string) =>
      serving.sql`SELECT number, debit, credit, memo FROM journal_lines AS line JOIN journal_entries AS entry ON entry.id = entry_id
        WHERE line.workspace_id = ${workspace} ORDER BY sequence, position`;
    expect(await amounts(again.id)).toEqual(await amounts(large.id));
  });

  test('reports missing settings in one sentence', () => {
    expect(run(null)).toMatchObject({ status: 1, stderr: expect.stringContaining('demo first') });
  });
});
