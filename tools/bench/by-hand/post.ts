/**
 * Hand-written baseline for posting an invoice in three transactions: the request is recorded, goods are moved, the
 * invoice is posted.
 */
import { randomUUIDv7 } from 'node:crypto';
import type pg from 'pg';
import { cents, finance, inventory, money } from './books.ts';
import { announce, transaction, user_id, workspace_id } from './program.ts';

interface Line {
  id: string;
  product_id: string;
  qty: string;
  net: string;
  tax: string;
  taxes: { id: string }[];
}
interface Invoice {
  id: string;
  status: string;
  customer_id: string;
  customer: string;
  invoice_date: string;
  due_date: string;
  warehouse_id: string;
  currency: string;
  net_total: string;
  tax_total: string;
  total: string;
}

/** Locks a draft, and reads it with its lines. */
async function lockInvoice(client: pg.PoolClient, id: string): Promise<{ invoice: Invoice; lines: Line[] }> {
  const { rows } = await client.query<Invoice>(
    `SELECT invoice.*, customers.name AS customer FROM sales_invoices AS invoice JOIN customers ON customers.id = customer_id
     WHERE invoice.workspace_id = $1 AND invoice.id = $2 AND status = 'draft' FOR UPDATE OF invoice`,
    [workspace_id, id],
  );
  const [invoice] = rows;
  if (!invoice) throw new Error('Draft not found.');
  const { rows: lines } = await client.query<Line>(
    'SELECT id, product_id, trim_scale(qty)::text AS qty, net, tax, taxes FROM invoice_lines WHERE sales_invoice_id = $1 ORDER BY position',
    [id],
  );
  return { invoice, lines };
}

interface Level {
  id: string;
  product_id: string;
  on_hand: string;
  reserved: string;
  value: string;
}
type Moved = Line & { cost: string };

const TAKE = `
  UPDATE stock_levels AS level SET on_hand = level.on_hand - taken.qty, value = level.value - taken.cost,
    version = level.version + 1, updated_at = clock_timestamp()
  FROM jsonb_to_recordset($1::jsonb) AS taken (level_id uuid, qty numeric, cost numeric)
  WHERE level.id = taken.level_id AND level.on_hand - taken.qty >= level.reserved`;
const MOVE = `
  INSERT INTO stock_movements (id, workspace_id, product_id, warehouse_id, qty, unit_cost, value, reason, source_type,
    source_id, source_line, idempotency_key, balance_after, business_date)
  SELECT movement_id, $2, product_id, $3, - qty, unit_cost, - cost, 'sale', 'sales_invoice', $4, id::text,
    'issue:' || $4 || ':1:' || position, balance_after, $5
  FROM jsonb_to_recordset($1::jsonb) AS taken (movement_id uuid, id uuid, position int, product_id uuid, qty numeric,
    unit_cost numeric, cost numeric, balance_after numeric)`;

/** Issues the goods of an invoice from stock at average cost. */
const issue = ({ id, warehouse_id, invoice_date }: Invoice, lines: readonly Line[]): Promise<Moved[]> =>
  transaction(inventory, 'rpc:issueStock', async (client) => {
    const key = `${id}:1`;
    await client.query(
      `INSERT INTO rpc_keys (workspace_id, method, key, caller, fingerprint) VALUES ($1, 'IssueStock', $2, 'finance', md5($3))`,
      [workspace_id, key, JSON.stringify(lines)],
    );
    const { rows } = await client.query<Level>(
      `SELECT id, product_id, on_hand, reserved, value FROM stock_levels
       WHERE workspace_id = $1 AND warehouse_id = $2 AND product_id = ANY($3) ORDER BY product_id FOR UPDATE`,
      [workspace_id, warehouse_id, lines.map(({ product_id }) => product_id)],
    );
    const levels = new Map(rows.map((level) => [level.product_id, level]));
    const taken = lines.map((line, position) => {
      const { id: level_id, on_hand, value, reserved } = levels.get(line.product_id)!;
      const unit_cost = (Number(value) / Number(on_hand)).toFixed(6);
      const balance_after = String(Number(on_hand) - Number(line.qty));
      const cost = (Number(line.qty) * Number(unit_cost)).toFixed(2);
      return { ...line, position, level_id, movement_id: randomUUIDv7(), unit_cost, cost, balance_after, reserved };
    });
    const { rowCount } = await client.query(TAKE, [JSON.stringify(taken)]);
    if (rowCount !== taken.length) throw new Error('There is not enough stock. Enter a smaller quantity.');
    await client.query(MOVE, [JSON.stringify(taken), workspace_id, warehouse_id, id, invoice_date]);
    const from = { source_type: 'sales_invoice', source_id: id };
    await announce(client, [
      ...taken.map(({ movement_id, product_id, qty, cost }) => ({
        type: 'inventory.movement.recorded',
        aggregate_id: movement_id,
        data: { movement_id, product_id, warehouse_id, qty: `-${qty}`, value: `-${cost}`, reason: 'sale', ...from },
      })),
      ...taken.map(({ level_id, product_id, balance_after, reserved }) => ({
        type: 'inventory.stock.changed',
        aggregate_id: level_id,
        data: { stock_id: level_id, product_id, warehouse_id, on_hand: balance_after, reserved },
      })),
    ]);
    const source = { type: 'sales_invoice', id };
    const moved = taken.map(({ id: line_id, product_id, qty, unit_cost, cost }) => {
      return { line_id, product_id, warehouse_id, qty, unit_cost, cost, stock_account_id: '' };
    });
    // The data for undoing: the suite undoes work that this program did not finish.
    const answer = JSON.stringify({ lines: moved, consumed: [], reason: 'sale', business_date: invoice_date, source });
    await client.query(
      `UPDATE rpc_keys SET answer = $3::jsonb WHERE workspace_id = $1 AND method = 'IssueStock' AND key = $2`,
      [workspace_id, key, answer],
    );
    return taken;
  });

const ROLES = ['receivable', 'sales', 'tax_output', 'cogs', 'inventory'];

/** Writes the open item and the entry. Returns the ID of the entry. */
async function book(client: pg.PoolClient, invoice: Invoice, number: string, moved: readonly Moved[]): Promise<string> {
  const { id, customer_id, customer, invoice_date: date, due_date, currency, total, net_total, tax_total } = invoice;
  const { rows: accounts } = await client.query<{ id: string; system_role: string }>(
    'SELECT id, system_role FROM gl_accounts WHERE workspace_id = $1 AND system_role = ANY($2)',
    [workspace_id, ROLES],
  );
  const account = (role: string) => accounts.find(({ system_role }) => system_role === role)?.id;
  const [open_item_id, entry_id] = [randomUUIDv7(), randomUUIDv7()];
  await client.query(
    `INSERT INTO open_items (id, workspace_id, kind, customer_id, document_type, document_id, number, account_id, date,
       due_date, currency, rate, amount, base_amount)
     VALUES ($1, $2, 'claim', $3, 'sales_invoice', $4, $5, $6, $7, $8, $9, 1, $10, $10)`,
    [open_item_id, workspace_id, customer_id, id, number, account('receivable'), date, due_date, currency, total],
  );
  const cost = money(moved.reduce((sum, line) => sum + cents(line.cost), 0));
  const side = (role: string, name: 'debit' | 'credit', amount: string, more: object = {}) => ({
    id: randomUUIDv7(),
    account_id: account(role),
    debit: '0',
    credit: '0',
    [name]: amount,
    amount,
    currency,
    memo: '',
    ...more,
  });
  const entry = {
    id: entry_id,
    date,
    scope: 'sales',
    source_type: 'sales_invoice',
    source_id: id,
    purpose: 'post',
    narration: `${number}: ${customer}`,
    counterparty: customer,
    lines: [
      side('receivable', 'debit', total, { party_kind: 'customer', party_id: customer_id, open_item_id }),
      side('sales', 'credit', net_total),
      side('tax_output', 'credit', tax_total, { tax_id: moved[0]?.taxes[0]?.id }),
      side('cogs', 'debit', cost),
      side('inventory', 'credit', cost),
    ],
  };
  await client.query('SELECT ledger_post($1::jsonb)', [JSON.stringify(entry)]);
  return entry_id;
}

export async function post(id: string) {
  const { invoice, lines } = await transaction(finance, 'salesInvoices.post', async (client) => {
    const held = await lockInvoice(client, id);
    await client.query(
      `INSERT INTO stock_sagas (id, workspace_id, document_type, document_id, attempt, direction, asked_by, since)
       VALUES ($1, $2, 'sales_invoice', $3, 1, 'issue', $4, now())`,
      [randomUUIDv7(), workspace_id, id, user_id],
    );
    return held;
  });
  const moved = await issue(invoice, lines);
  return await transaction(finance, 'salesInvoices.post', async (client) => {
    await lockInvoice(client, id);
    await client.query(
      `UPDATE stock_sagas SET state = 'settled', since = now() WHERE document_id = $1 AND state = 'requested'`,
      [id],
    );
    await client.query(
      `UPDATE invoice_lines AS line SET cost = moved.cost FROM jsonb_to_recordset($1::jsonb) AS moved (id uuid, cost numeric)
       WHERE line.id = moved.id`,
      [JSON.stringify(moved)],
    );
    const year = invoice.invoice_date.slice(0, 4);
    const { rows: counters } = await client.query<{ last: number }>(
      `INSERT INTO number_counters AS counter (workspace_id, type, year, last) VALUES ($1, 'sales_invoice', $2, 1)
       ON CONFLICT (workspace_id, type, year) DO UPDATE SET last = counter.last + 1 RETURNING last`,
      [workspace_id, year],
    );
    const number = `INV-${year}-${String(counters[0]?.last).padStart(5, '0')}`;
    const journal_id = await book(client, invoice, number, moved);
    const { rows } = await client.query(
      `UPDATE sales_invoices SET status = 'posted', number = $2, journal_id = $3, posted_at = now(), posted_by = $4
       WHERE id = $1 AND status = 'draft' RETURNING *`,
      [id, number, journal_id, user_id],
    );
    const { customer_id, total, currency, invoice_date } = invoice;
    const what = { sales_invoice_id: id, number, customer_id, total, currency, invoice_date };
    const sold = lines.map(({ id: line_id, product_id, qty }) => ({ line_id, product_id, qty }));
    await announce(client, [
      { type: 'finance.sales_invoice.posted', aggregate_id: id, data: { ...what, lines: sold } },
    ]);
    return rows[0];
  });
}
