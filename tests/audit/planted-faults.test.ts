import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { CrossServiceCheck, Consequence } from '@suite/auditor';
import { dataOf, type Reply } from '@suite/testing';
import { startSuiteForFile } from '@suite/testing/suite/started';
import { openWorkspace, type Workspace } from '@suite/testing/suite/workspace';
import { findAllViolations } from '@suite/tools/audit';
import { orderAgreements, orderConsequences } from '@suite/tools/audit/order-rules';
import { references } from '@suite/tools/audit/references';
import { agreements, consequences, rules } from '@suite/tools/audit/rules';
import { stepRules } from '@suite/tools/audit/step-rules';
import { waitUntilIdle } from '@suite/tools/calm';
import { findDifferences, repairDifferences } from '@suite/tools/reconcile';
import { openedDatabases } from '@suite/tools/reconcile/databases';
import { type Database, faultsIn, sideOf } from '@suite/auditor/fault-search';

/**
 * Plants a fault for each rule of the auditor, and expects the auditor to find it. All changes in the demo workspace
 * are rolled back. Then a workspace of its own loses data of one service, which the reconciliation repairs.
 */
const suite = await startSuiteForFile({ demo: true });
const database = (service: string): Database => ({ service, url: String(suite.databases[service]) });

/** Faults that need more than one change, or a record that the demo does not contain. */
const KNOWN: Record<string, string> = {
  'no saga is open for more than a minute':
    "UPDATE order_reservations SET state = 'requested', since = now() - interval '2 minutes'",
  'no posting of a run is pending for more than a minute':
    "UPDATE payroll_posting_attempts SET state = 'requested', since = now() - interval '2 minutes'",
  'no time is claimed for an invoice for longer than an hour':
    "UPDATE billing_runs SET status = 'claimed', created_at = now() - interval '2 hours'",
  'remaining days of expired leave lapse unless a leave request needs them':
    "UPDATE leave_applications SET status = 'rejected'; UPDATE leave_ledger SET valid_to = '2020-12-31'",
  "each settled leave line is in at most one final payslip, of its employee, with the ledger's days": `
    INSERT INTO payslip_leave_lines (id, workspace_id, entry_id, days)
    SELECT gen_random_uuid(), workspace_id, id, 1 FROM payroll_entries LIMIT 1`,
  'each loan payout belongs to an existing loan, once': `
    INSERT INTO employee_loans (id, workspace_id, employee_id, currency, first_period, amount_sealed, instalment_sealed, left_sealed,
      journal_id, updated_at)
    SELECT gen_random_uuid(), workspace_id, id, 'EUR', current_date, 'x', 'x', 'x', gen_random_uuid(), now() FROM employees LIMIT 1`,
  'inventory has stored the key of each completed step finance.set-goods-aside':
    "UPDATE stock_sagas SET state = 'reversing', cancellations = 9",
  ...Object.fromEntries(
    Object.entries({ 'hr.pay-loan-out': 'loan_payout_attempts', 'hr.post-loan-waiver': 'loan_waiver_attempts' }).map(
      ([step, table]) => [
        `finance has stored the key of each completed step ${step}`,
        `INSERT INTO ${table} (id, workspace_id, loan_id, attempt, state, asked_by, since)
        SELECT gen_random_uuid(), workspace_id, gen_random_uuid(), 1, 'posted', gen_random_uuid(), now() FROM employees LIMIT 1`,
      ],
    ),
  ),
};

/** Returns the names of the rules without a planted fault. */
const missing = (found: ReadonlyMap<string, unknown>) => [...found].flatMap(([name, fault]) => (fault ? [] : [name]));

beforeAll(async () => {
  await waitUntilIdle(suite, 120_000);
}, 150_000);

// Finance plants a fault for each of its rules in its own tests, with records that the demo does not contain.
const { finance: _, ...others } = rules;

test.each(Object.keys(others) as (keyof typeof others)[])(
  'the auditor finds a fault of each rule of %s',
  async (service) => {
    expect(missing(await faultsIn(database(service), rules[service], KNOWN))).toEqual([]);
  },
  300_000,
);

/** Checks if two services differ in any key. */
const differ = (mine: ReadonlyMap<string, unknown>, theirs: ReadonlyMap<string, unknown>): boolean =>
  [...new Set([...mine.keys(), ...theirs.keys()])].some((key) => (mine.get(key) ?? null) !== (theirs.get(key) ?? null));

/** Plants a fault for a rule that compares two services. */
async function faultOfAgreement({ name, here, there }: CrossServiceCheck): Promise<boolean> {
  const theirs = await sideOf(database(there.service), there.sql);
  const rule = { name, sql: here.sql, breaks: (mine: ReadonlyMap<string, unknown>) => differ(mine, theirs) };
  return (await faultsIn(database(here.service), [rule], KNOWN)).get(name) !== undefined;
}

/** Plants a fault for a rule that orders the actions of two services: in the first action, or in its consequence. */
async function faultOfConsequence({ name, seen, before }: Consequence): Promise<boolean> {
  const lacks = (later: ReadonlyMap<string, unknown>, earlier: ReadonlyMap<string, unknown>) =>
    [...later].some(([key, value]) => earlier.get(key) !== value);
  const [later, earlier] = [
    await sideOf(database(seen.service), seen.sql),
    await sideOf(database(before.service), before.sql),
  ];
  const inFirst = { name, sql: before.sql, breaks: (rows: ReadonlyMap<string, unknown>) => lacks(later, rows) };
  const inSecond = { name, sql: seen.sql, breaks: (rows: ReadonlyMap<string, unknown>) => lacks(rows, earlier) };
  return (
    (await faultsIn(database(before.service), [inFirst])).get(name) !== undefined ||
    (await faultsIn(database(seen.service), [inSecond], KNOWN)).get(name) !== undefined
  );
}

test('the auditor finds a fault of each rule that compares two services', async () => {
  const unbroken = [];
  for (const rule of [...agreements, ...orderAgreements]) if (!(await faultOfAgreement(rule))) unbroken.push(rule.name);
  expect(unbroken).toEqual([]);
}, 300_000);

test('the auditor finds a violation of each rule about actions of two services', async () => {
  const unbroken = [];
  for (const rule of [...consequences, ...orderConsequences, ...references, ...stepRules])
    if (!(await faultOfConsequence(rule))) unbroken.push(rule.name);
  expect(unbroken).toEqual([]);
}, 600_000);

/** One service gets the data of an earlier time, as after a restore to another time than the other services. */
describe('the reconciliation', () => {
  let acme: Workspace;
  let customer_id: string;
  let warehouse_id: string;
  let product_id: string;
  const { databases, sql } = suite;
  const post = (path: string, body: object = {}): Promise<Reply['body']> => dataOf(acme.owner.post(path, body));

  beforeAll(async () => {
    acme = await openWorkspace(suite);
    ({ id: customer_id } = await post('/api/customers/create', { name: 'Initech' }));
    ({ id: warehouse_id } = (await dataOf(acme.owner.get('/api/warehouse')))[0]);
    ({ id: product_id } = await post('/api/product/create', { name: 'Engine', sku: 'ENG', sale_price: '20.00' }));
    await post('/api/product-stock/add', { product_id, warehouse_id, qty: '100', unit_cost: '5.00' });
  }, 120_000);

  async function confirmedOrder(): Promise<string> {
    const lines = [{ product_id, qty: '10', unit_price: '20.00' }];
    const { id } = await post('/api/sales/sales-order/store', { customer_id, warehouse_id, lines });
    await post(`/api/sales/sales-order/update/${id}`, { status: 'confirmed' });
    await waitUntilIdle(suite);
    return id;
  }

  /** Runs statements as the owner of inventory's tables, who can disable the triggers that reject changes of the past. */
  const asOwner = (statements: readonly string[]) =>
    sql('inventory', ['BEGIN', 'SET LOCAL ROLE inventory_owner', ...statements, 'COMMIT'].join('; '));
  const STOCK = ['reservations', 'stock_movements', 'stock_levels', 'rpc_keys'];
  const backUp = () => asOwner(STOCK.map((table) => `CREATE TABLE _before_${table} AS TABLE ${table}`));
  const restore = () =>
    asOwner(
      STOCK.flatMap((table) => [
        `ALTER TABLE ${table} DISABLE TRIGGER USER`,
        `DELETE FROM ${table}`,
        `INSERT INTO ${table} TABLE _before_${table}`,
        `ALTER TABLE ${table} ENABLE TRIGGER USER`,
        `DROP TABLE _before_${table}`,
      ]),
    );

  /** Returns the differences, the printed lines of their repair in a stable order, and the remaining differences. */
  async function reconcile() {
    await waitUntilIdle(suite);
    const found = await findDifferences(databases);
    const printed: string[] = [];
    const context = { databases, wait_ms: 60_000, say: (line: string) => void printed.push(line) };
    const remaining = await repairDifferences(context, found);
    return { rows: found.flatMap(({ rows }) => rows), printed: printed.toSorted(), remaining };
  }

  test('finds nothing in a suite of one time', async () => {
    expect(await reconcile()).toEqual({ rows: [], printed: [], remaining: [] });
  }, 120_000);

  test('requests goods again that inventory has lost', async () => {
    await backUp();
    const order = await confirmedOrder();
    const { invoice_id } = await post(`/api/sales/sales-order/convert-to-invoice/${order}`);
    await post(`/api/sales-invoice/post/${invoice_id}`);
    const open = await confirmedOrder();
    await restore();
    const { rows, printed, remaining } = await reconcile();
    expect(rows).toEqual(
      expect.arrayContaining([
        `${order}:1 of workspace ${acme.id}: completed in crm, unknown in inventory`,
        `${open}:1 of workspace ${acme.id}: completed in crm, unknown in inventory`,
        `${invoice_id}:1 of workspace ${acme.id}: completed in finance, unknown in inventory`,
      ]),
    );
    const lines = [`crm.reserve-goods ${order}:1`, `crm.reserve-goods ${open}:1`, `finance.move-goods ${invoice_id}:1`];
    expect(printed).toEqual(lines.map((line) => `Repeated: ${line}`).toSorted());
    expect(remaining).toEqual([]);
    expect(await findAllViolations(suite)).toEqual([]);
    const [stock] = await dataOf(acme.owner.get(`/api/product-stocks?product_id=${product_id}`));
    expect([stock.on_hand, stock.reserved].map(Number)).toEqual([90, 10]);
  }, 240_000);

  test('undoes a reservation that crm does not know', async () => {
    const order = await confirmedOrder();
    await sql('crm', 'DELETE FROM order_reservations WHERE sales_order_id = $1', [order]);
    await sql('crm', `UPDATE sales_orders SET status = 'draft' WHERE id = $1`, [order]);
    await sql('crm', 'UPDATE sales_lines SET reserved_qty = 0 WHERE sales_order_id = $1', [order]);
    const { rows, printed, remaining } = await reconcile();
    expect(rows).toContain(
      `${order}:1 of workspace ${acme.id}: Reserve is done in inventory, unknown or undone in crm`,
    );
    expect(printed).toEqual([`Undone: crm.reserve-goods ${order}:1`]);
    expect(remaining).toEqual([]);
  }, 240_000);

  test('repairs copies, and forgets events that do not exist', async () => {
    const { user } = await acme.hire('manager', 'Ada');
    await waitUntilIdle(suite);
    const [ghost, event] = [randomUUID(), randomUUIDv7()];
    await sql('support', `UPDATE users SET name = 'Future', as_of = 9000000000 WHERE id = $1`, [user.id]);
    await sql('hr', 'DELETE FROM users WHERE id = $1', [user.id]);
    await sql(
      'crm',
      `INSERT INTO users (id, workspace_id, name, email, kind, as_of) VALUES ($1, $2, 'Ghost', 'ghost@example.test', 'staff', 9000000000)`,
      [ghost, acme.id],
    );
    await sql('crm', `INSERT INTO inbox (consumer, event_id) VALUES ('crm.copy-created-user', $1)`, [event]);
    const { id: deal_id } = await post('/api/deal/create', { name: 'Fleet', customer_id });
    await sql('crm', `UPDATE deals SET customer_name = 'Future' WHERE id = $1`, [deal_id]);
    await sql('crm', `UPDATE known_records SET fields = '{"name": "Future"}', version = 9000 WHERE record_id = $1`, [
      customer_id,
    ]);
    const { printed, remaining } = await reconcile();
    expect(printed).toEqual([
      `Forgot the event ${event}, which crm.copy-created-user had processed`,
      `Repaired deals of crm: ${customer_id} (differs)`,
      `Repaired known_records of crm: ${customer_id} (differs)`,
      `Repaired users of crm: ${ghost} (ghost)`,
      `Repaired users of hr: ${user.id} (missing)`,
      `Repaired users of support: ${user.id} (differs)`,
    ]);
    expect(remaining).toEqual([]);
    expect(await sql('crm', 'SELECT name, email, status FROM users WHERE id = $1', [ghost])).toEqual([
      { name: 'Former user', email: null, status: 'former' },
    ]);
    const customerNames = () => sql('crm', 'SELECT customer_name AS name FROM deals WHERE id = $1', [deal_id]);
    expect(await customerNames()).toEqual([{ name: 'Initech' }]);
    // The next events apply again.
    await post(`/api/user/update/${user.id}`, { name: 'Ada L.' });
    await post(`/api/customers/update/${customer_id}`, { name: 'Initech Ltd' });
    expect((await reconcile()).rows).toEqual([]);
    expect(await customerNames()).toEqual([{ name: 'Initech Ltd' }]);
    expect(await sql('support', 'SELECT name FROM users WHERE id = $1', [user.id])).toEqual([{ name: 'Ada L.' }]);
  }, 240_000);

  test('lists a reference to a missing record with what to do', async () => {
    const order = await confirmedOrder();
    await sql('crm', 'UPDATE sales_orders SET customer_id = $2 WHERE id = $1', [order, randomUUID()]);
    const { printed, remaining } = await reconcile();
    expect(printed).toEqual([]);
    expect(remaining).toEqual([
      {
        rule: 'no record of crm refers to a finance.customer that does not exist',
        rows: [expect.stringContaining(acme.id)],
        advice: 'Create the missing record again and select it, or remove the reference.',
      },
    ]);
    await sql('crm', 'UPDATE sales_orders SET customer_id = $2 WHERE id = $1', [order, customer_id]);
  }, 240_000);

  test('rejects missing, unreachable and exchanged databases with one sentence', async () => {
    const variables = Object.fromEntries(
      Object.entries(databases).map(([name, url]) => [`DATABASE_URL_${name.toUpperCase()}`, url]),
    );
    const opened = (changes: Record<string, string>) =>
      openedDatabases(Object.keys(databases), { ...variables, ...changes });
    await expect(opened({ DATABASE_URL_HR: '' })).rejects.toThrow(
      'Start the suite first, or set the database addresses: DATABASE_URL_HR.',
    );
    const closed = String(variables['DATABASE_URL_CRM']).replace(/:\d+\//, ':1/');
    await expect(opened({ DATABASE_URL_CRM: closed })).rejects.toThrow(
      /^The database of crm is unavailable: .*ECONNREFUSED.*\. Start it, or correct DATABASE_URL_CRM\.$/,
    );
    await expect(opened({ DATABASE_URL_CRM: String(variables['DATABASE_URL_HR']) })).rejects.toThrow(
      /^The database of crm does not fit this release: .*\.$/,
    );
  }, 60_000);
});
