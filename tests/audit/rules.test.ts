import { beforeAll, describe, expect, test } from '@jest/globals';
import { findAllViolations, findViolations } from '@suite/tools/audit';
import { startSuiteForFile } from '@suite/testing/suite/started';
import { createProject } from '../suite/factories.ts';
import { tradeOneProduct } from '../suite/trade.ts';
import { openWorkspace } from '@suite/testing/suite/workspace';

/** Changes one of two services directly in its database. The rule that compares them must report the difference. */
const suite = await startSuiteForFile();

beforeAll(async () => {
  const { owner, hire } = await openWorkspace(suite);
  const stock = await tradeOneProduct(owner, 'audited');
  const [user, client] = [await hire('manager'), await hire('client')];
  stock.set('user', [user.user.id]).set('client', [client.user.id]);
  await createProject({ gateway: suite.gateway, owner, stock, word: 'audited' });
  await owner.post('/api/support-ticket/ticket/store', { subject: 'Help', description: 'Please.' });
  const [product] = (await owner.get('/api/products')).body.data;
  const found = { product_id: product.id, qty: '1', unit_cost: '2.00' };
  await owner.post('/api/product-stock/add', found);
  const payments = [{ method: 'cash', amount: '1000.00' }];
  const lines = [{ product_id: product.id, qty: '2', unit_price: '10.01' }];
  const [whole, partly] = [
    (await owner.post('/api/pos/create', { lines, payments })).body.data,
    (await owner.post('/api/pos/create', { lines, payments })).body.data,
  ];
  await owner.post(`/api/pos/refund/${whole.id}`, {});
  for (const restock of [true, false]) {
    const part = { line_id: partly.lines[0].id, qty: '0.7', restock };
    await owner.post(`/api/pos/refund/${partly.id}`, { lines: [part] });
  }
}, 600_000);

const broken = async () => new Set((await findViolations(suite)).map(({ check }) => check));

describe('the auditor of all services', () => {
  test('finds nothing after ordinary business', async () => {
    expect(await findAllViolations(suite)).toEqual([]);
  }, 240_000);

  test.each([
    [
      'no record of crm refers to a finance.customer that does not exist',
      'crm',
      'UPDATE sales_orders SET customer_id = gen_random_uuid()',
    ],
    [
      'no record of finance refers to a inventory.tax that does not exist',
      'finance',
      `UPDATE revenues SET tax = jsonb_build_object('id', gen_random_uuid())`,
    ],
    [
      'goods of an official document have moved, and cost what its lines say',
      'finance',
      'UPDATE invoice_lines SET cost = cost + 1 WHERE cost IS NOT NULL',
    ],
    [
      'goods that finance has called back are back, and cannot go again',
      'finance',
      `UPDATE stock_sagas SET state = 'reversed' WHERE document_type = 'sales_return'`,
    ],
    [
      'finance has recorded every stock request to inventory for a document',
      'finance',
      `DELETE FROM stock_sagas WHERE document_type = 'sales_invoice'`,
    ],
    ['every reservation of an order exists in inventory', 'inventory', `DELETE FROM rpc_keys WHERE method = 'Reserve'`],
    [
      'crm has recorded every reservation for an order',
      'inventory',
      `INSERT INTO rpc_keys (workspace_id, method, key, caller, fingerprint, subject, answer)
        SELECT workspace_id, 'Reserve', 'nobody:1', 'crm', 'x', 'sales_order nobody', '{}' FROM rpc_keys LIMIT 1`,
    ],
    [
      'adjustments in the journal match the adjustments in inventory, at their value',
      'inventory',
      'UPDATE stock_adjustments SET value = value + 1',
    ],
    [
      'projects has recorded each draft of time that finance was asked to create',
      'projects',
      `UPDATE billing_attempts SET attempt = attempt + 1`,
    ],
    [
      'entries of an invoiced run add up to its lines, in seconds and in money',
      'projects',
      `UPDATE billing_runs SET seconds = seconds + 1`,
    ],
    ['the counts of tickets by status match the tickets', 'support', `UPDATE ticket_counts SET tickets = tickets + 1`],
  ])('detects a violation of the rule: %s', async (rule, service, tampering) => {
    expect(await broken()).not.toContain(rule);
    await suite.sql(service, tampering);
    expect(await broken()).toContain(rule);
  });

  test('reports an invoice that lacks billed time, once no event is pending', async () => {
    const rule = 'the invoice lines of time match the billed time, and contain nothing else';
    expect((await findAllViolations(suite)).map(({ check }) => check)).not.toContain(rule);
    await suite.sql('finance', `UPDATE invoice_lines SET gross = gross + 2 WHERE source_type = 'time'`);
    expect((await findAllViolations(suite)).map(({ check }) => check)).toContain(rule);
  }, 240_000);
});
