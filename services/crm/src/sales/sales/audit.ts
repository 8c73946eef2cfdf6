/** Invariants of crm's database, as SQL that selects the rows that violate them. */
import type { AuditCheck } from '@suite/auditor';

/** Documents with lines, and the line column that references them. */
const DOCUMENTS = [
  { noun: 'quote', table: 'quotes', key: 'quote_id', unnumbered: "'draft', 'cancelled'" },
  { noun: 'sales order', table: 'sales_orders', key: 'sales_order_id', unnumbered: "'draft', 'cancelled'" },
  { noun: 'proposal', table: 'proposals', key: 'proposal_id', unnumbered: "'draft'" },
] as const;

const documents: AuditCheck[] = DOCUMENTS.flatMap(({ noun, table, key, unnumbered }) => [
  {
    name: `every total of a ${noun} is the sum of its lines'`,
    sql: `
      SELECT document.workspace_id, document.id, document.subtotal, document.total, lines.gross, lines.total AS lines_total
      FROM ${table} AS document LEFT JOIN (
        SELECT workspace_id, ${key}, sum(gross) AS gross, sum(discount_amount) AS discount, sum(net) AS net, sum(tax) AS tax,
          sum(total) AS total FROM sales_lines WHERE ${key} IS NOT NULL GROUP BY 1, 2) AS lines
        ON lines.workspace_id = document.workspace_id AND lines.${key} = document.id
      WHERE (document.subtotal, document.discount_total, document.net_total, document.tax_total, document.total)
        IS DISTINCT FROM (lines.gross, lines.discount, lines.net, lines.tax, lines.total)`,
  },
  {
    name: `a ${noun} that went out has its number, and is the one that it was given to`,
    sql: `
      SELECT document.workspace_id, document.id, document.number, document.status
      FROM ${table} AS document LEFT JOIN given_numbers AS given
        ON given.workspace_id = document.workspace_id AND given.type = '${key.replace(/_id$/, '')}' AND given.document_id = document.id
      WHERE (document.number IS NULL AND document.status NOT IN (${unnumbered}))
        OR (document.number IS NULL) <> (given.document_id IS NULL)
        OR document.number NOT LIKE '%-' || given.year || '-' || lpad(given.sequence::text, 5, '0')`,
  },
]);

const numbers: AuditCheck[] = [
  {
    name: 'numbers have no gap: the count and the highest number match the counter',
    sql: `
      SELECT coalesce(counter.workspace_id, given.workspace_id) AS workspace_id, counter.type, counter.year, counter.last,
        given.times, given.highest
      FROM number_counters AS counter FULL JOIN (
        SELECT workspace_id, type, year, count(*) AS times, max(sequence) AS highest FROM given_numbers GROUP BY 1, 2, 3)
        AS given USING (workspace_id, type, year)
      WHERE counter.last IS DISTINCT FROM given.times OR counter.last IS DISTINCT FROM given.highest`,
  },
];

const lines: AuditCheck[] = [
  {
    name: 'a line total is net plus tax, and net is price less discount and included tax',
    sql: `
      SELECT workspace_id, id FROM sales_lines WHERE total <> net + tax OR gross - discount_amount <> net + (
        SELECT coalesce(sum((levied ->> 'amount')::numeric), 0) FROM jsonb_array_elements(taxes) AS levied
        WHERE (levied ->> 'inclusive')::boolean)`,
  },
  {
    name: "a line's tax is the sum of its taxes",
    sql: `
      SELECT workspace_id, id FROM sales_lines WHERE tax <> (
        SELECT coalesce(sum((levied ->> 'amount')::numeric), 0) FROM jsonb_array_elements(taxes) AS levied)`,
  },
];

const proposals: AuditCheck[] = [
  {
    name: 'a converted proposal has exactly one invoice, and no other proposal has one',
    sql: `
      SELECT workspace_id, id, invoice_id FROM proposals WHERE (status = 'converted') <> (invoice_id IS NOT NULL)
      UNION ALL SELECT workspace_id, NULL, invoice_id FROM proposals WHERE invoice_id IS NOT NULL
      GROUP BY workspace_id, invoice_id HAVING count(*) > 1`,
  },
  {
    name: 'a proposal is accepted or rejected, never both',
    sql: `SELECT workspace_id, id FROM proposals WHERE accepted_at IS NOT NULL AND rejected_at IS NOT NULL`,
  },
  {
    name: 'a proposal announces its conversion once, and again per deleted draft invoice',
    sql: `
      SELECT proposals.workspace_id, proposals.id, count(event.id) AS times FROM proposals
      JOIN journal_events AS event ON event.aggregate_id = proposals.id AND event.type = 'crm.proposal.converted'
      GROUP BY proposals.workspace_id, proposals.id, status, deleted_drafts
      HAVING count(event.id) > deleted_drafts + CASE status WHEN 'converted' THEN 1 ELSE 0 END`,
  },
];

const orders: AuditCheck[] = [
  {
    name: 'a quote is ordered if it has an order that is not cancelled',
    sql: `
      SELECT quotes.workspace_id, quotes.id, quotes.status, sales_orders.id AS order_id FROM quotes
      LEFT JOIN sales_orders ON sales_orders.workspace_id = quotes.workspace_id AND sales_orders.quote_id = quotes.id
        AND sales_orders.status <> 'cancelled'
      WHERE (quotes.status = 'ordered') <> (sales_orders.id IS NOT NULL)`,
  },
  {
    name: 'the status of an order matches the progress of its lines',
    sql: `
      SELECT workspace_id, id, fulfilment_status, invoice_status FROM sales_orders JOIN (
        SELECT sales_order_id, bool_and(qty_delivered >= qty) AS delivered, sum(qty_delivered) > 0 AS begun,
          bool_and(qty_invoiced >= qty) AS invoiced, sum(qty_invoiced) > 0 AS billed
        FROM sales_lines WHERE sales_order_id IS NOT NULL GROUP BY 1) AS progress ON progress.sales_order_id = id
      WHERE fulfilment_status <> CASE WHEN delivered THEN 'full' WHEN begun THEN 'partial' ELSE 'none' END
        OR invoice_status <> CASE WHEN invoiced THEN 'full' WHEN billed THEN 'partial'
          WHEN status IN ('confirmed', 'on_hold') THEN 'to_invoice' ELSE 'nothing' END`,
  },
  {
    name: 'a completed order is delivered and invoiced, a cancelled order is neither',
    sql: `
      SELECT workspace_id, id, status, fulfilment_status, invoice_status FROM sales_orders
      WHERE (status = 'completed' AND (fulfilment_status, invoice_status) <> ('full', 'full'))
        OR (status = 'confirmed' AND (fulfilment_status, invoice_status) = ('full', 'full'))`,
  },
  {
    name: 'only active orders have reserved goods',
    sql: `
      SELECT sales_lines.workspace_id, sales_lines.id, reserved_qty FROM sales_lines
      JOIN sales_orders ON sales_orders.id = sales_order_id
      WHERE reserved_qty > 0 AND (status NOT IN ('confirmed', 'on_hold') OR NOT EXISTS (
        SELECT FROM order_reservations AS held WHERE held.sales_order_id = sales_orders.id AND held.state = 'reserved'))`,
  },
];

const sagas: AuditCheck[] = [
  {
    name: 'no saga is open for more than a minute',
    sql: `
      SELECT workspace_id, sales_order_id, attempt, state, since FROM order_reservations
      WHERE state IN ('requested', 'releasing') AND since < now() - interval '60 seconds'`,
    after_calm: true,
  },
  {
    name: 'an order is confirmed together with its reservation',
    sql: `
      SELECT sales_orders.workspace_id, sales_orders.id, status, state FROM order_reservations
      JOIN sales_orders ON sales_orders.id = sales_order_id
      WHERE (state = 'reserved' AND status NOT IN ('confirmed', 'on_hold', 'completed'))
        OR (state = 'requested' AND status <> 'draft')`,
  },
];

/** All rules. `audit` of @suite/auditor checks them on one read-only snapshot. */
export const checks: readonly AuditCheck[] = [...documents, ...lines, ...numbers, ...proposals, ...orders, ...sagas];
