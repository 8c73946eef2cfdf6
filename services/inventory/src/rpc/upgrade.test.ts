import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { ReservedLine } from '@suite/proto/inventory/v1/inventory';
import { auditViolations, issueOf, openInventory } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openInventory();
const migration = new URL('../../prisma/migrations/20261122160614_rpc_keys/migration.sql', import.meta.url);
const hashOf = (content: unknown) => createHash('sha256').update(JSON.stringify(content)).digest('hex');
const lineOf = ({ line_id, product_id, warehouse_id, qty }: ReservedLine) => ({
  line_id,
  product_id,
  warehouse_id,
  qty,
});
const contentOf = ({ source, business_date, lines }: ReturnType<typeof issueOf>) =>
  hashOf([source.type, source.id, [business_date, lines.map(lineOf), null]]);

/** Moves the keys of issues to the previous table of inventory. */
async function storeAsBefore(...issues: ReturnType<typeof issueOf>[]): Promise<void> {
  await serving.admin.query(`
    CREATE TABLE stock_requests (workspace_id uuid, kind text, key text, content_hash text, source_type text,
      source_id text, answer jsonb, reversed_at timestamptz, reversal jsonb, created_at timestamptz DEFAULT now())`);
  for (const request of issues) {
    await serving.sql`
      INSERT INTO stock_requests
      SELECT issue.workspace_id, 'issue', issue.key, ${contentOf(request)}, ${request.source.type}, ${request.source.id},
        issue.answer - 'source', issue.undone_at, undo.answer || ${JSON.stringify({ content_hash: hashOf('') })}::jsonb
      FROM rpc_keys AS issue LEFT JOIN rpc_keys AS undo
        ON undo.method = 'ReverseIssue' AND undo.workspace_id = issue.workspace_id AND undo.key = issue.key
      WHERE issue.method = 'IssueStock' AND issue.key = ${request.idempotency_key}`;
  }
  await serving.sql`DELETE FROM rpc_keys`;
}

describe('the upgrade of idempotency keys', () => {
  test('returns the original responses for keys of the previous tables', async () => {
    const shop = await openShop();
    const place = { product_id: await shop.product({}, { qty: '10', unit_cost: '5' }), warehouse_id: shop.warehouse };
    const [kept, undone] = [issueOf(randomUUID(), [place]), issueOf(randomUUID(), [place])];
    const undo = { idempotency_key: undone.idempotency_key, business_date: '' };
    const answers = [
      await shop.rpc.issueStock(kept),
      await shop.rpc.issueStock(undone),
      await shop.rpc.reverseIssue(undo),
    ];
    await storeAsBefore(kept, undone);
    await serving.admin.query(readFileSync(migration, 'utf8'));

    const nextDay = { business_date: '2026-01-16' };
    const reused = { status: 409, code: 'key_reused' };
    expect(await shop.rpc.issueStock(kept)).toEqual(answers[0]);
    await expect(shop.rpc.issueStock({ ...kept, ...nextDay })).rejects.toMatchObject(reused);
    await expect(shop.rpc.issueStock(undone)).rejects.toMatchObject({ status: 409, code: 'key_reversed' });
    expect(await shop.rpc.reverseIssue(undo)).toEqual(answers[2]);
    await expect(shop.rpc.reverseIssue({ ...undo, ...nextDay })).rejects.toMatchObject(reused);
    await shop.rpc.reverseIssue({ ...undo, idempotency_key: kept.idempotency_key });
    expect(await shop.level(place.product_id)).toEqual({ on_hand: '10', reserved: '0', value: '50' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('keeps a reservation undone if its release arrived first', async () => {
    const shop = await openShop();
    await storeAsBefore();
    for (const [type, key] of [
      ['sales_order', 'crm'],
      ['purchase_invoice', 'finance'],
    ]) {
      await serving.sql`
      INSERT INTO stock_requests (workspace_id, kind, key, content_hash, source_type, source_id, answer, reversed_at, reversal)
      VALUES (${shop.workspace}, 'release', ${key}, 'x', ${type}, '1', '{"lines": []}', NULL, NULL),
        (${shop.workspace}, 'reservation', ${key}, NULL, NULL, NULL, NULL, now(), '{"lines": []}')`;
    }
    await serving.admin.query(readFileSync(migration, 'utf8'));
    expect(
      await serving.sql`
    SELECT method, key, caller, undone_at IS NOT NULL AS undone FROM rpc_keys ORDER BY method, key`,
    ).toEqual([
      { method: 'Release', key: 'crm', caller: 'crm', undone: false },
      { method: 'Release', key: 'finance', caller: 'finance', undone: false },
      { method: 'Reserve', key: 'crm', caller: 'crm', undone: true },
      { method: 'Reserve', key: 'finance', caller: 'finance', undone: true },
    ]);
  });
});
