/** Invariants of invoices, returns and notes, and of the related stock moves. */
import type { AuditCheck } from '@suite/auditor';
import { dense } from './ledger-checks.ts';

/** Checks that every total of a document is the sum of its lines. */
const summed = (table: string, lines: string, key: string): AuditCheck => ({
  name: `${table} are the sum of their lines`,
  sql: `SELECT document.workspace_id, document.id::text AS detail FROM ${table} AS document
    LEFT JOIN ${lines} AS line ON line.workspace_id = document.workspace_id AND line.${key} = document.id
    GROUP BY document.workspace_id, document.id, document.net_total, document.tax_total, document.total
    HAVING coalesce(sum(line.net), 0) <> document.net_total OR coalesce(sum(line.tax), 0) <> document.tax_total
      OR coalesce(sum(line.total), 0) <> document.total`,
});

/** Checks that official invoices have a number, an entry and an open item, and the status of its settlement. */
const official = (table: string, type: string): AuditCheck => ({
  name: `posted ${table} have their entry and open item, and a status that matches the settlement`,
  sql: `SELECT document.workspace_id, document.id::text AS detail FROM ${table} AS document
    LEFT JOIN open_items AS item ON item.workspace_id = document.workspace_id
      AND item.document_type = '${type}' AND item.document_id = document.id
    WHERE (document.status = 'draft') <> (item.id IS NULL)
      OR (document.journal_id IS NULL) <> NOT EXISTS (
        SELECT FROM journal_entries AS entry WHERE entry.workspace_id = document.workspace_id
          AND entry.source_type = '${type}' AND entry.source_id = document.id AND entry.purpose = 'post')
      OR document.total > 0 AND (document.status = 'draft') <> (document.journal_id IS NULL)
      OR item.amount <> document.total
      OR item.voided <> (document.status = 'cancelled')
      OR document.status NOT IN ('draft', 'cancelled') AND (
        (document.status = 'posted') <> (item.settled = 0)
        OR (document.status = 'partially_paid') <> (item.settled > 0 AND item.settled < item.amount))`,
});

/** Checks that returned quantities do not exceed invoiced quantities. */
const returned: AuditCheck = {
  name: 'returned quantities do not exceed the invoiced quantity',
  sql: `SELECT line.workspace_id, line.id::text AS detail FROM invoice_lines AS line
    JOIN return_lines AS taken ON taken.workspace_id = line.workspace_id AND taken.invoice_line_id = line.id
    LEFT JOIN sales_returns AS sold ON sold.workspace_id = line.workspace_id AND sold.id = taken.sales_return_id
    LEFT JOIN purchase_returns AS bought ON bought.workspace_id = line.workspace_id AND bought.id = taken.purchase_return_id
    WHERE coalesce(sold.status, bought.status) IN ('approved', 'completed')
    GROUP BY line.workspace_id, line.id, line.qty, line.total
    HAVING sum(taken.qty) > line.qty OR sum(taken.total) > line.total`,
};

/** Checks that a refund settles its note or its payment, and a reversed refund settles nothing. */
const refunded: AuditCheck = {
  name: 'refunds are settled by their notes and payments',
  sql: `SELECT refund.workspace_id, refund.number AS detail FROM refunds AS refund
    LEFT JOIN notes AS note ON note.workspace_id = refund.workspace_id AND note.id = refund.note_id
    LEFT JOIN payments AS payment ON payment.workspace_id = refund.workspace_id AND payment.id = refund.payment_id
    LEFT JOIN allocations AS part ON part.workspace_id = refund.workspace_id
      AND part.claim_id = refund.open_item_id AND part.credit_id = coalesce(note.open_item_id, payment.open_item_id)
    WHERE part.amount IS DISTINCT FROM CASE refund.status WHEN 'posted' THEN refund.amount END`,
};

const sagas: readonly AuditCheck[] = [
  {
    name: 'the goods of a cancelled invoice are returned or in progress',
    sql: `SELECT saga.workspace_id, saga.document_id::text AS detail FROM stock_sagas AS saga
      LEFT JOIN sales_invoices AS sold ON sold.workspace_id = saga.workspace_id AND sold.id = saga.document_id
      LEFT JOIN purchase_invoices AS bought ON bought.workspace_id = saga.workspace_id AND bought.id = saga.document_id
      WHERE coalesce(sold.status, bought.status) = 'cancelled' AND saga.state NOT IN ('reversing', 'reversed')`,
  },
  {
    name: 'no goods of a document are in transit for more than a minute',
    sql: `SELECT workspace_id, document_id || ' ' || state AS detail FROM stock_sagas
      WHERE state NOT IN ('settled', 'reversed') AND since < now() - interval '60 seconds'`,
    after_calm: true,
  },
  {
    name: 'goods are settled for official documents only',
    sql: `SELECT saga.workspace_id, saga.document_id::text AS detail FROM stock_sagas AS saga
      WHERE saga.state IN ('settled', 'cancelling', 'releasing') AND NOT EXISTS (
        SELECT FROM open_items AS item WHERE item.workspace_id = saga.workspace_id AND item.document_id = saga.document_id
          AND item.document_type = saga.document_type
        UNION ALL SELECT FROM notes AS note WHERE note.workspace_id = saga.workspace_id AND note.number IS NOT NULL
          AND saga.document_id IN (note.sales_return_id, note.purchase_return_id))`,
  },
];

export const invoiceChecks: readonly AuditCheck[] = [
  dense('sales_invoice', 'sales_invoices'),
  dense('purchase_invoice', 'purchase_invoices'),
  dense('sales_return', 'sales_returns'),
  dense('purchase_return', 'purchase_returns'),
  dense('credit_note', 'notes', "kind = 'credit'"),
  dense('debit_note', 'notes', "kind = 'debit'"),
  summed('sales_invoices', 'invoice_lines', 'sales_invoice_id'),
  summed('purchase_invoices', 'invoice_lines', 'purchase_invoice_id'),
  summed('sales_returns', 'return_lines', 'sales_return_id'),
  summed('purchase_returns', 'return_lines', 'purchase_return_id'),
  official('sales_invoices', 'sales_invoice'),
  official('purchase_invoices', 'purchase_invoice'),
  dense('refund', 'refunds'),
  returned,
  refunded,
  ...sagas,
];
