import { beforeAll, expect, test } from '@jest/globals';
import { dataOf, type Reply } from '@suite/testing';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace, type Workspace } from '@suite/testing/suite/workspace';
import { findOrderViolations } from '@suite/tools/audit';
import { waitUntilIdle } from '@suite/tools/calm';
import fc from 'fast-check';

/** Orders, proposals and their invoices in any sequence of actions, and the consistency between services afterwards. */
const suite = await useSharedSuite();
const ON_HAND = 1_000;
let acme: Workspace;
let customer_id: string;
let product_id: string;
let warehouse_id: string;

const post = (path: string, body: object = {}): Promise<Reply['body']> => dataOf(acme.owner.post(path, body));
const stock = async () => (await dataOf(acme.owner.get(`/api/product-stocks?product_id=${product_id}`)))[0];
const violations = () => findOrderViolations(suite, acme.id);
/** Returns the rules that fail in the integrity report. */
const unsound = async (): Promise<string[]> => {
  const { sound, checks } = await dataOf(acme.owner.get('/api/accounting/integrity'));
  const broken = checks.filter(({ holds }: { holds: boolean }) => !holds).map(({ name }: { name: string }) => name);
  expect(sound).toBe(broken.length === 0);
  return broken;
};

beforeAll(async () => {
  acme = await openWorkspace(suite);
  ({ id: customer_id } = await post('/api/customers/create', { name: 'Initech' }));
  ({ id: warehouse_id } = (await dataOf(acme.owner.get('/api/warehouse')))[0]);
  const product = { name: 'Engine', sku: 'ENG', type: 'product', sale_price: '20.00', purchase_price: '5.00' };
  ({ id: product_id } = await post('/api/product/create', product));
  await post('/api/product-stock/add', { product_id, warehouse_id, qty: String(ON_HAND), unit_cost: '5.00' });
}, 600_000);

/** Creates a confirmed order of ten engines and their assembly. */
async function confirmed(): Promise<string> {
  const lines = [
    { product_id, qty: '10', unit_price: '20.00' },
    { description: 'Assembly', qty: '1', unit_price: '50.00' },
  ];
  const discount = { type: 'amount', value: '10.00' };
  const { id } = await post('/api/sales/sales-order/store', { customer_id, warehouse_id, lines, discount });
  await post(`/api/sales/sales-order/update/${id}`, { status: 'confirmed' });
  return id;
}

const convert = async (id: string): Promise<string> =>
  (await post(`/api/sales/sales-order/convert-to-invoice/${id}`)).invoice_id;

/** One action of a sequence, with the index of its document and a quantity. */
interface Action {
  act: 'convert' | 'reduce' | 'post' | 'cancel_invoice' | 'delete_draft' | 'hold' | 'resume' | 'cancel' | 'close';
  which: number;
  qty: number;
}

/** Runs actions on an order, as a user would. Actions that are not allowed are rejected with 404, 409 or 422. */
async function run(id: string, actions: readonly Action[]): Promise<void> {
  const { owner } = acme;
  const invoices: string[] = [];
  const state = (status: string) => owner.post(`/api/sales/sales-order/update/${id}`, { status });
  for (const { act, which, qty } of actions) {
    const invoice = invoices[which % Math.max(1, invoices.length)] ?? id;
    const part = [{ product_id, qty: String(qty), unit_price: '20.00' }];
    const does: Record<Action['act'], () => Promise<Reply>> = {
      convert: () => owner.post(`/api/sales/sales-order/convert-to-invoice/${id}`, {}),
      reduce: () => owner.post(`/api/sales-invoice/update/${invoice}`, { lines: part }),
      post: () => owner.post(`/api/sales-invoice/post/${invoice}`, {}),
      cancel_invoice: () => owner.post(`/api/sales-invoice/cancel/${invoice}`, {}),
      delete_draft: () => owner.delete(`/api/sales-invoice/delete/${invoice}`),
      hold: () => state('on_hold'),
      resume: () => state('confirmed'),
      cancel: () => state('cancelled'),
      close: () => state('closed'),
    };
    const { status, body } = await does[act]();
    expect([200, 404, 409, 422]).toContain(status);
    if (act === 'convert' && status === 200) invoices.push(body.data.invoice_id);
  }
}

const often = ['convert', 'reduce', 'post', 'cancel_invoice'] as const;
const action = fc.record({
  act: fc.constantFrom<Action['act']>(...often, ...often, 'delete_draft', 'hold', 'resume', 'cancel', 'close'),
  which: fc.nat(5),
  qty: fc.integer({ min: 1, max: 10 }),
});

test('keeps invoiced quantities equal to posted lines, and open demand reserved', async () => {
  const sequences = fc.sample(fc.array(action, { minLength: 4, maxLength: 14 }), { numRuns: 12, seed: 34 });
  for (const actions of sequences) await run(await confirmed(), actions);
  await waitUntilIdle(suite);
  expect(await violations()).toEqual([]);
  expect(await unsound()).toEqual([]);
  const open = await suite.sql<{ reserved: string }>(
    'crm',
    `SELECT trim_scale(coalesce(sum(reserved_qty), 0))::text AS reserved FROM sales_lines WHERE workspace_id = $1`,
    [acme.id],
  );
  expect((await stock()).reserved).toBe(open[0]!.reserved);
}, 600_000);

test('closing an order after its invoice was cancelled releases its goods', async () => {
  const reserved = async () => Number((await stock()).reserved);
  const before = await reserved();
  const id = await confirmed();
  expect(await reserved()).toBe(before + 10);
  const invoice = await convert(id);
  await post(`/api/sales-invoice/post/${invoice}`);
  await waitUntilIdle(suite);
  await post(`/api/sales-invoice/cancel/${invoice}`);
  await waitUntilIdle(suite);
  const shown = await dataOf(acme.owner.get(`/api/sales/sales-orders/${id}`));
  expect([shown.status, shown.lines[0].reserved_qty, await reserved()]).toEqual(['confirmed', '10', before + 10]);
  await post(`/api/sales/sales-order/update/${id}`, { status: 'closed' });
  await waitUntilIdle(suite);
  expect(await reserved()).toBe(before);
}, 120_000);

test('an invoice cancelled immediately after posting reserves the goods of its order', async () => {
  const before = Number((await stock()).reserved);
  const id = await confirmed();
  const invoice = await convert(id);
  await post(`/api/sales-invoice/post/${invoice}`);
  await post(`/api/sales-invoice/cancel/${invoice}`);
  await waitUntilIdle(suite);
  expect(Number((await stock()).reserved)).toBe(before + 10);
  const shown = await dataOf(acme.owner.get(`/api/sales/sales-orders/${id}`));
  expect([shown.status, shown.lines[0].reserved_qty]).toEqual(['confirmed', '10']);
  expect(await violations()).toEqual([]);
}, 120_000);

test('the auditor and the integrity report find each planted fault', async () => {
  const id = await confirmed();
  await convert(id);
  const lines = [{ description: 'Advice', qty: '1', unit_price: '10.00' }];
  const proposal = await post('/api/sales-proposal/create', { customer_id, valid_until: '2099-12-31', lines });
  for (const step of ['sent', 'accept', 'convert-to-invoice']) await post(`/api/sales-proposal/${step}/${proposal.id}`);
  await waitUntilIdle(suite);
  expect(await violations()).toEqual([]);
  // Other files audit the same suite later, so every fault is fully repaired.
  const { invoice_id } = await dataOf(acme.owner.get(`/api/sales-proposal/show/${proposal.id}`));
  const line = `sales_lines SET %s WHERE sales_order_id = '${id}' AND product_id IS NOT NULL`;
  const faults = [
    ['crm', 'the invoiced quantity', line.replace('%s', 'qty_invoiced = 1'), line.replace('%s', 'qty_invoiced = 0')],
    ['crm', 'the reserved quantity', line.replace('%s', 'reserved_qty = 3'), line.replace('%s', 'reserved_qty = 10')],
    [
      'crm',
      'only orders that are confirmed',
      `sales_orders SET status = 'closed' WHERE id = '${id}'`,
      `sales_orders SET status = 'confirmed' WHERE id = '${id}'`,
    ],
    [
      'crm',
      'a converted proposal',
      `proposals SET invoice_id = gen_random_uuid() WHERE id = '${proposal.id}'`,
      `proposals SET invoice_id = '${invoice_id}' WHERE id = '${proposal.id}'`,
    ],
  ] as const;
  for (const [service, rule, plant, repair] of faults) {
    await suite.sql(service, `UPDATE ${plant}`);
    expect((await violations()).map(({ check }) => check)).toEqual([expect.stringContaining(rule)]);
    expect(await unsound()).toEqual([expect.stringContaining(rule)]);
    await suite.sql(service, `UPDATE ${repair}`);
  }
  expect(await violations()).toEqual([]);
  expect(await unsound()).toEqual([]);
}, 240_000);
