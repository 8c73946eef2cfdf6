/** A business that invoices: a workspace of the real suite, with products in stock and a customer. */
import type { Caller } from '@suite/chassis/gateway';
import type { Suite } from '@suite/local/suite';
import type pg from 'pg';
import { openWorkspace } from '@suite/testing/suite/workspace';
import { fillBooks, fillCatalogue } from './books.ts';
import { connected } from './connect.ts';
import { callerOfToken } from './gateway.ts';
import { idAt } from './without-indexes.ts';

export interface Business {
  caller: Caller;
  workspace_id: string;
  user_id: string;
  /** What a draft of ten lines is asked for with. */
  invoice: { customer_id: string; invoice_date: string; lines: { product_id: string; qty: string }[] };
  /** Writes down so many drafts, as many times the same one. Returns their ids. */
  drafts(count: number): Promise<string[]>;
}

const PLENTY = '10000000';
const LINES = 10;

interface Made {
  id: string;
}

/** Opens a business with so many invoices posted, so many customers and so many products. */
export async function openBusiness(suite: Suite, posted: number): Promise<Business> {
  const gateway = String(suite.processes['gateway']?.url);
  const { id: workspace_id, owner } = await openWorkspace({ ...suite, gateway });
  const database_url = String(suite.databases['finance']);
  await fillBooks(database_url, workspace_id, posted);
  await fillCatalogue(String(suite.databases['inventory']), workspace_id, posted);
  const send = async (path: string, body: object): Promise<Made> => {
    const { status, body: answer } = await owner.post(path, body);
    if (status !== 201) throw new Error(`${path} answers ${status}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const tax_ids = [(await send('/api/tax/create', { name: 'VAT', rate: '20' })).id];
  const { id: customer_id } = await send('/api/customers/create', { name: 'Grace Hopper' });
  const lines: { product_id: string; qty: string }[] = [];
  for (let n = 1; n <= LINES; n += 1) {
    const product = { name: `Bell ${n}`, sku: `BELL-${n}`, sale_price: '19.99', purchase_price: '5.00', tax_ids };
    const { id: product_id } = await send('/api/product/create', product);
    await send('/api/product-stock/add', { product_id, qty: PLENTY, unit_cost: '5.00', reason: 'opening' });
    lines.push({ product_id, qty: '2' });
  }
  const invoice = { customer_id, invoice_date: '2026-03-02', lines };
  const { id: template } = await send('/api/sales-invoice/create', invoice);
  const caller = await callerOfToken(gateway, owner.access_token);
  return {
    caller,
    workspace_id,
    user_id: caller.user_id,
    invoice,
    drafts: (count) => copyDraft(database_url, template, count),
  };
}

/** Copies rows of a table as they are, but for some columns. @param values expressions by the column */
async function copyRows(client: pg.Client, table: string, from: string, values: Record<string, string>): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum',
    [table],
  );
  const names = rows.map(({ name }) => client.escapeIdentifier(name));
  const taken = rows.map(({ name }) => values[name] ?? `original.${client.escapeIdentifier(name)}`);
  // What drafts leave in the audit log is no part of posting them.
  await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await client.query(
    `INSERT INTO ${table} (${names.join(', ')}) SELECT ${taken.join(', ')} FROM ${table} AS original ${from}`,
  );
  await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
}

const copyDraft = (database_url: string, template: string, count: number): Promise<string[]> =>
  connected(database_url, async (client) => {
    const id = idAt('clock_timestamp()', 'md5(random()::text)');
    await client.query(`CREATE TEMP TABLE made AS SELECT ${id} AS id FROM generate_series(1, ${count})`);
    const of = (column: string) => `CROSS JOIN made WHERE original.${column} = '${template}'`;
    await copyRows(client, 'sales_invoices', of('id'), { id: 'made.id' });
    const line = { id: 'gen_random_uuid()', sales_invoice_id: 'made.id' };
    await copyRows(client, 'invoice_lines', of('sales_invoice_id'), line);
    const { rows } = await client.query<Made>('SELECT id FROM made');
    return rows.map((one) => one.id);
  });
