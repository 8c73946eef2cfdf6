/** Workspaces in which business has long been done: posted invoices with their entries, written beneath finance. */
import { audit } from '@suite/auditor';
import { checks } from '@suite/finance/audit';
import type pg from 'pg';
import { connected } from './connect.ts';
import { idAt, withoutIndexes } from './without-indexes.ts';

const TABLES = ['customers', 'sales_invoices', 'invoice_lines', 'open_items', 'journal_entries', 'journal_lines'];
/** Each entry has one line for the customer, and so many for what was sold. */
const SOLD = 9;

/** What is made up for each invoice: where it stands in time, its ids, whose it is, and what it comes to. */
const MADE = `
  CREATE TEMP TABLE made AS
  SELECT n, at, at::date AS day, ${idAt('at', `md5('invoice' || n || $1::text)`)} AS id, ${idAt('at', `md5('item' || n || $1::text)`)} AS item_id,
    ${idAt('at', `md5('entry' || n || $1::text)`)} AS entry_id, 'INV-2025-' || lpad(n::text, greatest(5, length(n::text)), '0') AS number,
    customer.id AS customer_id, (1 + n % 7) * ${SOLD}.00 AS total
  FROM generate_series(1, $2::int) AS n
    CROSS JOIN LATERAL (SELECT timestamptz '2025-01-02' + interval '360 days' * (n / ($2::float + 1)) AS at) AS times
    JOIN customers AS customer ON customer.workspace_id = $1::uuid AND customer.code = 'CUS-' || lpad(n::text, greatest(5, length(n::text)), '0')`;

const ACCOUNT = (role: string) =>
  `(SELECT id FROM gl_accounts WHERE workspace_id = $1::uuid AND system_role = '${role}')`;

/** In this order; $1 is the workspace, $2 how many. */
const STATEMENTS = [
  `INSERT INTO customers (id, workspace_id, code, name, email, currency, created_at)
   SELECT ${idAt(`now() - interval '1 minute' * n`, `md5('customer' || n || $1::text)`)}, $1::uuid, 'CUS-' || lpad(n::text, greatest(5, length(n::text)), '0'),
     'Customer ' || n, 'customer' || n || '@example.com', 'EUR',
     date_trunc('milliseconds', now() - interval '1 minute' * n) FROM generate_series(1, $2::int) AS n`,
  MADE,
  `INSERT INTO sales_invoices (id, workspace_id, number, status, customer_id, invoice_date, due_date, currency, subtotal,
     net_total, total, base_total, journal_id, posted_at, created_at, updated_at)
   SELECT id, $1::uuid, number, 'posted', customer_id, day, day + 30, 'EUR', total, total, total, total, entry_id, at, at, at
   FROM made WHERE $2::int > 0`,
  `INSERT INTO invoice_lines (id, workspace_id, sales_invoice_id, position, description, qty, unit_price, gross,
     line_discount, header_discount, net, tax, total)
   SELECT gen_random_uuid(), $1::uuid, id, 0, 'Consulting', 1, total, total, 0, 0, total, 0, total FROM made WHERE $2::int > 0`,
  `INSERT INTO open_items (id, workspace_id, kind, customer_id, document_type, document_id, number, account_id, date,
     due_date, currency, rate, amount, base_amount)
   SELECT item_id, $1::uuid, 'claim', customer_id, 'sales_invoice', id, number, ${ACCOUNT('receivable')}, day, day + 30, 'EUR', 1,
     total, total FROM made WHERE $2::int > 0`,
  `INSERT INTO journal_lines (id, workspace_id, entry_id, position, line_count, date, account_id, debit, credit, currency,
     amount, party_kind, party_id, open_item_id)
   SELECT gen_random_uuid(), $1::uuid, entry_id, 1, ${SOLD + 1}, day, ${ACCOUNT('receivable')}, total, 0, 'EUR', total, 'customer',
     customer_id, item_id FROM made WHERE $2::int > 0
   UNION ALL SELECT gen_random_uuid(), $1::uuid, entry_id, 1 + part, ${SOLD + 1}, day, account.id, 0, total / ${SOLD}, 'EUR',
     total / ${SOLD}, NULL, NULL, NULL
   FROM made CROSS JOIN generate_series(1, ${SOLD}) AS part JOIN (
     SELECT id, row_number() OVER (ORDER BY code) AS part FROM gl_accounts
     WHERE workspace_id = $1::uuid AND type_id IN (SELECT id FROM account_types WHERE workspace_id = $1::uuid AND class IN ('revenue', 'expense'))
       AND NOT is_group AND active) AS account USING (part)`,
];

/** The chain of the journal, entry by entry: it cannot be made at once. */
const CHAIN = `
  DO $do$
  DECLARE
    one record;
    entry journal_entries;
    before bytea := '';
  BEGIN
    FOR one IN SELECT made.*, texts.lines FROM made JOIN (
      SELECT entry_id, string_agg(ledger_line_text(line), E'\\n' ORDER BY line.position) AS lines
      FROM journal_lines AS line WHERE workspace_id = current_setting('suite.workspace_id')::uuid GROUP BY entry_id) AS texts USING (entry_id)
      ORDER BY n
    LOOP
      entry := NULL;
      entry.id := one.entry_id;
      entry.workspace_id := current_setting('suite.workspace_id')::uuid;
      entry.sequence := one.n;
      entry.number := 'JE-' || lpad(one.n::text, greatest(6, length(one.n::text)), '0');
      entry.date := one.day;
      entry.scope := 'sales';
      entry.source_type := 'sales_invoice';
      entry.source_id := one.id;
      entry.purpose := 'post';
      entry.narration := one.number;
      entry.line_count := ${SOLD + 1};
      entry.prev_hash := before;
      entry.created_at := one.at;
      entry.hash := ledger_hash(entry, one.lines);
      before := entry.hash;
      INSERT INTO journal_entries SELECT entry.*;
    END LOOP;
    UPDATE ledger_heads SET sequence = (SELECT max(n) FROM made), hash = before WHERE workspace_id = entry.workspace_id;
  END
  $do$`;

const COUNTERS = `
  INSERT INTO number_counters AS counter (workspace_id, type, year, last)
  VALUES ($1, 'sales_invoice', 2025, $2), ($1, 'customer', 0, $2)`;

/** Auditing more than this would take longer than writing it; they are all written alike. */
const AUDITED_MAX = 10_000;

/** Writes so many posted invoices of last year, each of another customer, into new books, and proves that the books are right. */
export async function fillBooks(database_url: string, workspace_id: string, count: number): Promise<void> {
  await connected(database_url, async (client: pg.Client) => {
    await client.query(`SELECT set_config('suite.workspace_id', $1, false)`, [workspace_id]);
    await withoutIndexes(client, TABLES, async () => {
      for (const statement of STATEMENTS) await client.query(statement, [workspace_id, count]);
      await client.query(CHAIN);
      await client.query(COUNTERS, [workspace_id, count]);
    });
  });
  if (count > AUDITED_MAX) return;
  const violations = await audit(database_url, checks, workspace_id);
  if (violations.length > 0) throw new Error(`The books are wrong: ${JSON.stringify(violations.slice(0, 5))}`);
}

const PRODUCTS = `
  INSERT INTO products (id, workspace_id, name, sku, type, sale_price, track_stock, created_at, updated_at)
  SELECT ${idAt('at', `md5('product' || n || $1::text)`)}, $1::uuid, 'Product ' || n, 'SKU-' || n, 'product', (n % 9999) / 100.0, TRUE, at, at
  FROM generate_series(1, $2::int) AS n
    CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', now() - interval '1 minute' * n) AS at) AS times`;

/** Writes so many products into a catalogue. */
export const fillCatalogue = (database_url: string, workspace_id: string, count: number): Promise<void> =>
  connected(database_url, (client) =>
    withoutIndexes(client, ['products'], () => client.query(PRODUCTS, [workspace_id, count])),
  );
