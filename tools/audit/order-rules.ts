/** Rules of the auditor about orders, proposals and the documents made from orders and proposals. */
import type { CrossServiceCheck, Consequence } from '@suite/auditor';

/** Rules that apply when no event or saga is pending. */
export const orderAgreements: readonly CrossServiceCheck[] = [
  {
    name: 'the invoiced quantity of an order line is the sum of its posted lines',
    here: {
      service: 'crm',
      sql: `SELECT workspace_id, id::text AS key, trim_scale(qty_invoiced)::text AS value FROM sales_lines
        WHERE sales_order_id IS NOT NULL AND qty_invoiced <> 0`,
    },
    there: {
      service: 'finance',
      sql: `SELECT line.workspace_id, line.source_id::text AS key, trim_scale(sum(line.qty))::text AS value
        FROM invoice_lines AS line JOIN sales_invoices AS invoice
          ON invoice.workspace_id = line.workspace_id AND invoice.id = line.sales_invoice_id
        WHERE line.source_type = 'sales_order' AND invoice.status NOT IN ('draft', 'cancelled') GROUP BY 1, 2`,
    },
  },
  {
    name: 'the reserved quantity of an order line is the open reservation in inventory',
    here: {
      service: 'crm',
      sql: `SELECT workspace_id, sales_order_id || ' ' || id AS key, trim_scale(reserved_qty)::text AS value FROM sales_lines
        WHERE sales_order_id IS NOT NULL AND reserved_qty <> 0`,
    },
    there: {
      service: 'inventory',
      sql: `SELECT workspace_id, source_id || ' ' || source_line AS key, trim_scale(sum(qty - consumed))::text AS value
        FROM reservations WHERE source_type = 'sales_order' AND status = 'active' GROUP BY 1, 2`,
    },
  },
];

/** Rules that one service can break briefly, until an event of the other one arrives. */
export const orderConsequences: readonly Consequence[] = [
  {
    name: 'only orders that are confirmed or completed have draft invoices',
    seen: {
      service: 'finance',
      sql: `SELECT DISTINCT workspace_id, sales_order_id::text AS key, 'open' AS value FROM sales_invoices
        WHERE sales_order_id IS NOT NULL AND status = 'draft'`,
    },
    before: {
      service: 'crm',
      sql: `SELECT workspace_id, id::text AS key, 'open' AS value FROM sales_orders WHERE status IN ('confirmed', 'completed')`,
    },
  },
  {
    name: 'a converted proposal has an invoice that is not cancelled',
    seen: {
      service: 'crm',
      sql: `SELECT workspace_id, id::text AS key, invoice_id::text AS value FROM proposals WHERE status = 'converted'`,
    },
    before: {
      service: 'finance',
      sql: `SELECT workspace_id, proposal_id::text AS key, id::text AS value FROM sales_invoices
        WHERE proposal_id IS NOT NULL AND status <> 'cancelled'`,
    },
  },
];
