/** Invariants of invoices from orders and proposals: they bill the agreed lines, and add up to them. */
import type { AuditCheck } from '@suite/auditor';

/** SQL for the agreed lines, one row each. */
const AGREED = `SELECT agreement.workspace_id, agreement.id AS agreement_id, agreement.type, (line ->> 'id')::uuid AS line_id,
    (line ->> 'qty')::numeric AS qty, line -> 'figures' AS figures
  FROM agreements AS agreement CROSS JOIN LATERAL jsonb_array_elements(agreement.lines) AS line`;

/** SQL for the invoice lines that bill an agreed line, without cancelled invoices. */
const BILLED = `SELECT line.*, invoice.status, invoice.allow_over_invoicing,
    coalesce(invoice.sales_order_id, invoice.proposal_id) AS agreement_id
  FROM invoice_lines AS line JOIN sales_invoices AS invoice
    ON invoice.workspace_id = line.workspace_id AND invoice.id = line.sales_invoice_id
  WHERE line.source_type IN ('sales_order', 'proposal') AND invoice.status <> 'cancelled'`;

const figure = (name: string) => `(ordered.figures ->> '${name}')::numeric`;

export const agreementChecks: readonly AuditCheck[] = [
  {
    name: 'a line that bills an order or proposal refers to one of its lines',
    sql: `SELECT billed.workspace_id, billed.id::text AS detail FROM (${BILLED}) AS billed
      LEFT JOIN (${AGREED}) AS ordered ON ordered.workspace_id = billed.workspace_id
        AND ordered.agreement_id = billed.agreement_id AND ordered.type = billed.source_type AND ordered.line_id = billed.source_id
      WHERE ordered.line_id IS NULL`,
  },
  {
    name: 'posted invoices bill no more than was ordered, unless they allow it',
    sql: `SELECT ordered.workspace_id, ordered.line_id::text AS detail FROM (${AGREED}) AS ordered
      JOIN (${BILLED}) AS billed ON billed.workspace_id = ordered.workspace_id AND billed.source_id = ordered.line_id
      WHERE billed.status <> 'draft' GROUP BY ordered.workspace_id, ordered.line_id, ordered.qty
      HAVING sum(billed.qty) > ordered.qty AND NOT bool_or(billed.allow_over_invoicing)`,
  },
  {
    name: 'invoices that bill a whole order line on agreed terms add up to it',
    sql: `SELECT ordered.workspace_id, ordered.line_id::text AS detail FROM (${AGREED}) AS ordered
      JOIN (${BILLED}) AS billed ON billed.workspace_id = ordered.workspace_id AND billed.source_id = ordered.line_id
      GROUP BY ordered.workspace_id, ordered.line_id, ordered.qty, ordered.figures
      HAVING bool_and(billed.agreed) AND sum(billed.qty) = ordered.qty AND (
        sum(billed.gross) <> ${figure('gross')} OR sum(billed.line_discount) <> ${figure('discount')}
        OR sum(billed.header_discount) <> ${figure('header_discount')} OR sum(billed.net) <> ${figure('net')}
        OR sum(billed.tax) <> ${figure('tax')} OR sum(billed.total) <> ${figure('total')})`,
  },
];
