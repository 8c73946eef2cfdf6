import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { connectRpc } from '@suite/chassis/testing';
import { keysOf, forwardedCaller } from '@suite/testing';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { openFinance } from '../../test/fixture.ts';

const { serving, company } = await openFinance();
const migration = new URL('../../prisma/migrations/20261122160615_rpc_keys/migration.sql', import.meta.url);
const hashOf = (content: unknown) => createHash('sha256').update(JSON.stringify(content)).digest('hex');
const definition = { definition: FinanceServiceDefinition, address: `127.0.0.1:${serving.grpc_port}` };

const line = (value: string, debit: string, credit: string) => ({
  account: { $case: 'system_role' as const, value },
  debit,
  credit,
  memo: '',
});
const entry = {
  date: '2026-03-31',
  source_type: 'loan',
  source_id: randomUUID(),
  purpose: 'approve',
  narration: 'March',
  lines: [line('cash', '100', ''), line('sales', '', '100')],
};
const draft = (customer_id: string) => ({
  idempotency_key: randomUUID(),
  customer_id,
  invoice_date: '',
  currency: '',
  warehouse_id: '',
  reference: '',
  discount: undefined,
  notes: '',
  proposal_id: '',
  sales_order_id: '',
  lines: [{ product_id: '', description: 'Advice', qty: '1', unit_price: '100', discount: undefined, taxes: [] }],
});

/** Stores the keys in the previous location in finance. */
async function storeAsBefore(request: ReturnType<typeof draft>): Promise<void> {
  const { customer_id, lines, proposal_id, sales_order_id } = request;
  const hash = hashOf([customer_id, '', '', lines, null, proposal_id, sales_order_id]);
  await serving.admin.query(`
    ALTER TABLE sales_invoices ADD COLUMN draft_key text, ADD COLUMN draft_hash text;
    CREATE UNIQUE INDEX sales_invoices_draft_key_key ON sales_invoices (workspace_id, draft_key);
    CREATE TABLE journal_requests AS
      SELECT workspace_id, key, kept.fingerprint AS content_hash, journal_id, created_at
      FROM rpc_keys AS kept JOIN requested_entries USING (workspace_id) WHERE method = 'PostJournal';
    DROP TABLE requested_entries`);
  await serving.sql`UPDATE sales_invoices SET draft_key = ${request.idempotency_key}, draft_hash = ${hash}`;
  await serving.sql`DELETE FROM rpc_keys`;
}

describe('the upgrade of idempotency keys', () => {
  test('returns the original responses for keys of the previous tables', async () => {
    const { owner } = await company();
    const caller = (service: string) =>
      connectRpc({ finance: definition }, keysOf(service)).as(forwardedCaller(service, owner.caller), randomUUID())
        .finance;
    const customer = await owner.post('/api/customers/create', { name: 'Northwind' });
    const request = draft(customer.body.data.id);
    const [made, posted] = [
      await caller('crm').createDraftInvoice(request),
      await caller('hr').postJournal({ ...entry, idempotency_key: 'old' }),
    ];
    const before = await serving.sql`SELECT method, fingerprint FROM rpc_keys ORDER BY method`;
    await storeAsBefore(request);
    await serving.admin.query(readFileSync(migration, 'utf8'));

    expect(await serving.sql`SELECT method, fingerprint FROM rpc_keys ORDER BY method`).toEqual(before);
    // Responses from that time have no rate.
    expect(await caller('crm').createDraftInvoice(request)).toEqual({ ...made, rate: '' });
    const other = { ...request, currency: 'USD' };
    await expect(caller('crm').createDraftInvoice(other)).rejects.toMatchObject({ code: 'key_reused' });
    expect(await caller('hr').postJournal({ ...entry, idempotency_key: 'new' })).toEqual(posted);
    const anew = { ...entry, idempotency_key: 'newer', narration: 'April' };
    await expect(caller('hr').postJournal(anew)).rejects.toMatchObject({ code: 'already_posted' });
  });
});
