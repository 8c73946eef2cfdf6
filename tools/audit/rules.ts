/** The auditor's rules: the rules of each service, and the rules between two services. */
import type { CrossServiceCheck, AuditCheck, Consequence } from '@suite/auditor';
import { checks as crm } from '@suite/crm/audit';
import { checks as finance } from '@suite/finance/audit';
import { checks as hr } from '@suite/hr/audit';
import { checks as inventory } from '@suite/inventory/audit';
import { checks as projects } from '@suite/projects/audit';
import { checks as support } from '@suite/support/audit';

type AuditedService = 'crm' | 'finance' | 'hr' | 'inventory' | 'projects' | 'support';
export const rules: Readonly<Record<AuditedService, readonly AuditCheck[]>> = {
  crm,
  finance,
  hr,
  inventory,
  projects,
  support,
};

/**
 * Returns the money of each POS order on one side of its payment accounts. Products may name their own revenue
 * accounts, so these cannot be listed here.
 */
const posSales = (side: 'debit' | 'credit', which: string): CrossServiceCheck['there'] => ({
  service: 'finance',
  sql: `SELECT entry.workspace_id, entry.source_id::text AS key, trim_scale(sum(line.${side}))::text AS value
    FROM journal_entries AS entry JOIN journal_lines AS line
      ON line.workspace_id = entry.workspace_id AND line.entry_id = entry.id
    JOIN gl_accounts AS account ON account.workspace_id = line.workspace_id AND account.id = line.account_id
    WHERE entry.source_type = 'pos_order' AND account.system_role IN ('cash', 'card_clearing') AND ${which}
    GROUP BY entry.workspace_id, entry.source_id`,
});

/** The stock accounts that products name: asset accounts without another use, with posted goods. */
const OWN_STOCK_ACCOUNTS = `
  SELECT stock_account_id FROM invoice_lines WHERE stock_account_id IS NOT NULL
  UNION SELECT line.account_id FROM journal_entries AS entry
    JOIN journal_lines AS line ON line.workspace_id = entry.workspace_id AND line.entry_id = entry.id
    JOIN gl_accounts AS own ON own.workspace_id = line.workspace_id AND own.id = line.account_id AND own.system_role IS NULL
    JOIN account_types AS type ON type.workspace_id = own.workspace_id AND type.id = own.type_id AND type.class = 'asset'
  WHERE entry.source_type IN ('stock_adjustment', 'stock_account_change', 'pos_order')`;

/** Returns the net pay of each run in the journal, from entries of one kind that are not reversed. */
const payrollEntries = (side: 'debit' | 'credit', which: string): CrossServiceCheck['there'] => ({
  service: 'finance',
  sql: `SELECT entry.workspace_id, entry.source_id::text AS key, trim_scale(sum(line.${side}))::text AS value
    FROM journal_entries AS entry JOIN journal_lines AS line
      ON line.workspace_id = entry.workspace_id AND line.entry_id = entry.id
    JOIN gl_accounts AS account ON account.workspace_id = line.workspace_id AND account.id = line.account_id
    WHERE entry.source_type = 'payroll' AND account.system_role = 'salaries_payable' AND ${which}
      AND NOT EXISTS (SELECT FROM journal_entries AS other
        WHERE other.workspace_id = entry.workspace_id AND other.reversal_of = entry.id)
    GROUP BY entry.workspace_id, entry.source_id`,
});

export const agreements: readonly CrossServiceCheck[] = [
  {
    name: 'the stock accounts of the ledger are worth what the stock is worth',
    here: {
      service: 'inventory',
      sql: `SELECT workspace_id, 'value' AS key, trim_scale(sum(value))::text AS value FROM stock_levels
        GROUP BY workspace_id HAVING sum(value) <> 0`,
    },
    there: {
      service: 'finance',
      sql: `SELECT line.workspace_id, 'value' AS key, trim_scale(sum(line.debit - line.credit))::text AS value
        FROM journal_lines AS line JOIN gl_accounts AS account
          ON account.workspace_id = line.workspace_id AND account.id = line.account_id
        WHERE account.system_role = 'inventory' OR account.id IN (${OWN_STOCK_ACCOUNTS})
        GROUP BY line.workspace_id HAVING sum(line.debit - line.credit) <> 0`,
    },
  },
  {
    name: 'every POS order is in the journal with its total',
    here: {
      service: 'inventory',
      sql: `SELECT workspace_id, id::text AS key, trim_scale(total)::text AS value FROM pos_orders WHERE total <> 0`,
    },
    there: posSales('debit', 'entry.reversal_of IS NULL'),
  },
  {
    name: 'the journal reverses exactly the refunded part of each POS order',
    here: {
      service: 'inventory',
      sql: `SELECT workspace_id, id::text AS key, trim_scale(refunded_total)::text AS value FROM pos_orders WHERE refunded_total <> 0`,
    },
    there: posSales('credit', 'line.credit > 0'),
  },
  {
    name: 'the invoice lines of time match the billed time, and contain nothing else',
    here: {
      service: 'projects',
      sql: `SELECT workspace_id, id::text AS key, trim_scale(net)::text AS value FROM billing_runs WHERE status = 'invoiced'`,
    },
    there: {
      service: 'finance',
      sql: `SELECT line.workspace_id, line.source_id::text AS key, trim_scale(sum(line.gross))::text AS value
        FROM invoice_lines AS line JOIN sales_invoices AS invoice
          ON invoice.workspace_id = line.workspace_id AND invoice.id = line.sales_invoice_id
        WHERE line.source_type = 'time' AND invoice.status <> 'cancelled' GROUP BY 1, 2`,
    },
  },
  {
    name: 'the journal has what a run pays out, for each one that is approved, and nothing of the others',
    here: {
      service: 'hr',
      sql: `SELECT workspace_id, id::text AS key, trim_scale(coalesce(base_net, net))::text AS value FROM payrolls
        WHERE status IN ('approved', 'paid') AND net <> 0`,
    },
    there: payrollEntries('credit', `entry.purpose LIKE 'approve.%'`),
  },
  {
    name: 'the bank account has paid what the payslips of a run were paid by, once each',
    here: {
      service: 'hr',
      sql: `SELECT posting.workspace_id, posting.id::text AS key, trim_scale(posting.amount)::text AS value
        FROM payroll_postings AS posting JOIN payroll_posting_attempts AS attempt
          ON attempt.workspace_id = posting.workspace_id AND attempt.posting_id = posting.id AND attempt.state = 'posted'
        WHERE posting.kind = 'pay'`,
    },
    there: {
      service: 'finance',
      sql: `SELECT moved.workspace_id, split_part(kept.key, ':', 2) AS key, trim_scale(sum(moved.amount))::text AS value
        FROM rpc_keys AS kept JOIN bank_transactions AS moved
          ON moved.workspace_id = kept.workspace_id AND moved.journal_id = (kept.answer ->> 'journal_entry_id')::uuid
        WHERE kept.method = 'RecordPayout' AND kept.key LIKE 'payroll:%' AND kept.undone_at IS NULL GROUP BY 1, 2`,
    },
  },
  {
    name: 'each loan payout belongs to an existing loan, once',
    here: {
      service: 'hr',
      sql: `SELECT workspace_id, id::text AS key, journal_id::text AS value FROM employee_loans WHERE journal_id IS NOT NULL`,
    },
    there: {
      service: 'finance',
      sql: `SELECT workspace_id, split_part(key, ':', 2) AS key, answer ->> 'journal_entry_id' AS value FROM rpc_keys
        WHERE method = 'RecordPayout' AND key LIKE 'loan:%' AND undone_at IS NULL`,
    },
  },
  {
    name: 'the expenses of a project match the expenses that finance has posted',
    here: {
      service: 'finance',
      sql: `SELECT workspace_id, project_id || ' ' || currency AS key, trim_scale(sum(net))::text AS value
        FROM expenses WHERE status = 'posted' AND project_id IS NOT NULL GROUP BY 1, 2`,
    },
    there: {
      service: 'projects',
      sql: `SELECT workspace_id, project_id || ' ' || currency AS key, trim_scale(sum(net))::text AS value
        FROM project_expenses WHERE NOT reversed GROUP BY 1, 2`,
    },
  },
];

/** Documents whose goods inventory moves at the request of finance. */
const GOODS = `('sales_invoice', 'purchase_invoice', 'sales_return', 'purchase_return')`;
const KEY = `saga.document_id || ':' || saga.attempt`;
/** Keys of stock movements in inventory, as finance names them. */
const MOVES = `method IN ('IssueStock', 'ReceiveStock')`;
const MOVED_KEY = `CASE method WHEN 'IssueStock' THEN 'issue ' ELSE 'receipt ' END || key`;
/** Requests with an effect. After a restore, the record of an undone request may be missing (npm run reconcile). */
const IN_EFFECT = 'undone_at IS NULL';
/** The key of an attempt to bill time, as projects sends it to finance. */
const TIME_KEY = `'time:' || billing_run_id || ':' || attempt`;
const lineCosts = (key: string): string =>
  `SELECT workspace_id, ${key} AS document_id, sum(cost) AS cost FROM ${key.endsWith('invoice_id') ? 'invoice_lines' : 'return_lines'}
    WHERE ${key} IS NOT NULL GROUP BY 1, 2`;

/** Rules that apply at any time, even during faults: one of two services always acts before the other. */
export const consequences: readonly Consequence[] = [
  {
    name: 'goods of an official document have moved, and cost what its lines say',
    seen: {
      service: 'finance',
      sql: `SELECT saga.workspace_id, saga.direction || ' ' || ${KEY} AS key, trim_scale(line.cost)::text AS value
        FROM stock_sagas AS saga JOIN (
          ${['sales_invoice_id', 'purchase_invoice_id', 'sales_return_id', 'purchase_return_id'].map(lineCosts).join(' UNION ALL ')}
        ) AS line ON line.workspace_id = saga.workspace_id AND line.document_id = saga.document_id
        WHERE saga.state = 'settled'`,
    },
    before: {
      service: 'inventory',
      sql: `SELECT workspace_id, ${MOVED_KEY} AS key, (
          SELECT trim_scale(coalesce(sum((line ->> 'cost')::numeric), 0))::text FROM jsonb_array_elements(answer -> 'lines') AS line
        ) AS value
        FROM rpc_keys WHERE ${MOVES} AND answer IS NOT NULL AND undone_at IS NULL`,
    },
  },
  {
    name: 'goods that finance has called back are back, and cannot go again',
    seen: {
      service: 'finance',
      sql: `SELECT saga.workspace_id, saga.direction || ' ' || ${KEY} AS key, 'back' AS value
        FROM stock_sagas AS saga WHERE saga.state = 'reversed'`,
    },
    before: {
      service: 'inventory',
      sql: `SELECT workspace_id, ${MOVED_KEY} AS key, 'back' AS value
        FROM rpc_keys WHERE ${MOVES} AND undone_at IS NOT NULL`,
    },
  },
  {
    name: 'finance has recorded every stock request to inventory for a document',
    seen: {
      service: 'inventory',
      sql: `SELECT workspace_id, ${MOVED_KEY} AS key, 'asked' AS value
        FROM rpc_keys WHERE ${MOVES} AND answer -> 'source' ->> 'type' IN ${GOODS} AND ${IN_EFFECT}`,
    },
    before: {
      service: 'finance',
      sql: `SELECT saga.workspace_id, saga.direction || ' ' || ${KEY} AS key, 'asked' AS value FROM stock_sagas AS saga`,
    },
  },
  {
    name: 'crm has recorded every reservation for an order',
    seen: {
      service: 'inventory',
      sql: `SELECT workspace_id, key, 'held' AS value FROM rpc_keys
        WHERE method = 'Reserve' AND subject LIKE 'sales_order %' AND ${IN_EFFECT}`,
    },
    before: {
      service: 'crm',
      sql: `SELECT workspace_id, sales_order_id || ':' || attempt AS key, 'held' AS value FROM order_reservations`,
    },
  },
  {
    name: 'adjustments in the journal match the adjustments in inventory, at their value',
    seen: {
      service: 'finance',
      sql: `SELECT entry.workspace_id, entry.source_id::text AS key, trim_scale(sum(line.debit))::text AS value
        FROM journal_entries AS entry JOIN journal_lines AS line
          ON line.workspace_id = entry.workspace_id AND line.entry_id = entry.id
        WHERE entry.source_type = 'stock_adjustment' GROUP BY 1, 2`,
    },
    before: {
      service: 'inventory',
      // Remaining goods are revalued by a movement of value alone.
      sql: `SELECT workspace_id, id::text AS key, trim_scale(abs(value))::text AS value FROM stock_adjustments
        UNION ALL SELECT workspace_id, id::text, trim_scale(abs(value))::text FROM stock_movements WHERE qty = 0`,
    },
  },
  {
    name: 'projects has recorded each draft of time that finance was asked to create',
    seen: {
      service: 'finance',
      sql: `SELECT workspace_id, key, 'asked' AS value FROM rpc_keys
        WHERE method = 'CreateDraftInvoice' AND key LIKE 'time:%' AND ${IN_EFFECT}`,
    },
    before: {
      service: 'projects',
      sql: `SELECT workspace_id, ${TIME_KEY} AS key, 'asked' AS value FROM billing_attempts`,
    },
  },
];
