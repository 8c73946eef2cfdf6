import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUIDv7 } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { knownStates } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';
import { findAllViolations, findSeamViolations, findViolations } from '@suite/tools/audit';
import { copyRules } from '@suite/tools/audit/copy-rules';
import { waitUntilIdle } from '@suite/tools/calm';
import { startSuiteForFile } from '@suite/testing/suite/started';
import { createProject } from '../suite/factories.ts';
import { tradeOneProduct } from '../suite/trade.ts';
import { openWorkspace, type Workspace } from '@suite/testing/suite/workspace';

/** Changes one of two services directly in its database. The rule that compares them must report the difference. */
const suite = await startSuiteForFile();
let acme: Workspace;
let user_id: string;

beforeAll(async () => {
  acme = await openWorkspace(suite);
  const { owner, hire } = acme;
  const stock = await tradeOneProduct(owner, 'audited');
  const [user, client] = [await hire('manager'), await hire('client')];
  user_id = user.user.id;
  stock.set('user', [user_id]).set('client', [client.user.id]);
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

/** Changes a database as a restore to another time does, and returns the violations between services. Reverts the change. */
async function violationsBetween(service: string, change: string, revert: string) {
  await suite.sql(service, change);
  const found = await findSeamViolations(suite);
  await suite.sql(service, revert);
  return found;
}

describe('the rules about copies, events and steps', () => {
  const check = 'users of support agrees with each platform.user that it copies';
  const rename = (name: string) => `UPDATE users SET name = '${name}' WHERE id = '${user_id}'`;

  test('report a copy that differs, that is missing, and of a user who does not exist', async () => {
    await waitUntilIdle(suite);
    const [user] = await suite.sql<{ name: string }>('platform', `SELECT name FROM users WHERE id = '${user_id}'`);
    const { name } = user!;
    const renamed = await violationsBetween('support', rename('Ghost'), rename(name));
    const platform = expect.objectContaining({ name });
    expect(renamed).toEqual([{ check, row: expect.objectContaining({ key: user_id, fault: 'differs', platform }) }]);
    const moved = await violationsBetween(
      'support',
      `UPDATE users SET id = '${acme.id}' WHERE id = '${user_id}'`,
      `UPDATE users SET id = '${user_id}' WHERE id = '${acme.id}'`,
    );
    const row = (key: string, fault: string) => ({ check, row: expect.objectContaining({ key, fault }) });
    expect(moved).toEqual([row(acme.id, 'ghost'), row(user_id, 'missing')]);
  }, 120_000);

  test('ignore a copy until its event is processed, and report it after a failure', async () => {
    await acme.owner.post(`/api/user/update/${user_id}`, { name: 'Ada' });
    await waitUntilIdle(suite);
    const [event] = await suite.sql<{ id: string }>(
      'platform',
      `SELECT id FROM journal_events WHERE type = 'platform.user.updated' AND aggregate_id = '${user_id}'`,
    );
    const [consumer, values] = ['support.copy-updated-user', `'support.copy-updated-user', '${event!.id}'`];
    await suite.sql('support', `DELETE FROM inbox WHERE consumer = '${consumer}' AND event_id = '${event!.id}'`);
    const failed = `INSERT INTO dead_letters (consumer, event_id, envelope, reason, attempts) VALUES (${values}, '{}', '', 1)`;
    expect(await violationsBetween('support', rename('Old'), rename('Old'))).toEqual([]);
    expect(await violationsBetween('support', failed, `DELETE FROM dead_letters`)).toEqual([
      { check, row: expect.objectContaining({ key: user_id, fault: 'differs' }) },
    ]);
    await suite.sql('support', `${rename('Ada')}; INSERT INTO inbox (consumer, event_id) VALUES (${values})`);
  }, 120_000);

  test('report a recent processed event that its publisher does not have', async () => {
    const ghost = (time: string) =>
      `INSERT INTO inbox (consumer, event_id) VALUES ('crm.copy-created-user', '${time}')`;
    const revert = (time: string) => `DELETE FROM inbox WHERE event_id = '${time}'`;
    const [recent, old] = [randomUUIDv7(), '01900000-0000-7000-8000-000000000001'];
    expect(await violationsBetween('crm', ghost(recent), revert(recent))).toEqual([
      {
        check: 'every event that crm has processed is in the journal of platform',
        row: { id: recent, consumers: 'crm.copy-created-user' },
      },
    ]);
    expect(await violationsBetween('crm', ghost(old), revert(old))).toEqual([]);
  }, 120_000);

  test('report a completed step that the called service does not know', async () => {
    const check = 'inventory has stored the key of each completed step crm.reserve-goods';
    const found = await violationsBetween(
      'inventory',
      `UPDATE rpc_keys SET key = 'lost ' || key WHERE method = 'Reserve' AND caller = 'crm'`,
      `UPDATE rpc_keys SET key = substr(key, 6) WHERE method = 'Reserve' AND caller = 'crm'`,
    );
    expect(found).toEqual([{ check, row: expect.objectContaining({ crm: 'stored', inventory: null }) }]);
  }, 120_000);
});

describe('the declarations of copies and steps', () => {
  test('contain every column with the position or version of a copy', async () => {
    for (const { name, copies = [] } of declaredServices) {
      const stored = await suite.sql<{ place: string }>(
        name,
        `SELECT table_name || '.' || column_name AS place FROM information_schema.columns
          WHERE table_schema = 'public' AND column_name ~ '(as_of|known_version|workspace_version|books_revision)$'`,
      );
      const declared = copies.flatMap(({ table, positions }) => positions.map((column) => `${table}.${column}`));
      expect(declared.toSorted()).toEqual(stored.map(({ place }) => place).toSorted());
    }
    const known = declaredServices.flatMap(({ copies = [] }) => [...copies, ...knownStates(copies)]);
    expect(copyRules).toHaveLength(known.length);
  });

  test('contain every remote step, with methods that the caller may call', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const written = globSync('services/*/src/**/*.ts', { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/remoteSteps<[^(]*>\(\)\('([^']+)'/g)].map(([, name]) =>
        String(name),
      ),
    );
    const declared = declaredServices.flatMap(({ name: caller, steps = [] }) =>
      steps.map((step) => ({ caller, ...step })),
    );
    expect(declared.map(({ name }) => name).toSorted()).toEqual(written.toSorted());
    for (const { caller, asks } of declared) {
      const { rpc = [] } = declaredServices.find(({ name }) => name === asks.service)!;
      const callable = rpc.flatMap(({ declared: methods = {} }) =>
        Object.values(methods).flatMap(({ name, only }) => (only?.includes(caller) ? [name] : [])),
      );
      expect(callable).toEqual(expect.arrayContaining(Object.keys(asks.methods)));
    }
  });
});

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
