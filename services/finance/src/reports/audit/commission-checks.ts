/** Invariants of commissions: their terms, the outstanding amounts, and the journal entries of both. */
import type { AuditCheck } from '@suite/auditor';

const moved = (...kinds: string[]) =>
  `coalesce(sum(move.amount) FILTER (WHERE move.kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})), 0)`;

export const commissionChecks: readonly AuditCheck[] = [
  {
    name: 'only posted invoices of an agent have commission terms',
    sql: `SELECT invoice.workspace_id, invoice.id::text AS detail FROM sales_invoices AS invoice
      LEFT JOIN commission_terms AS terms ON terms.workspace_id = invoice.workspace_id AND terms.invoice_id = invoice.id
      WHERE terms.agent_id IS DISTINCT FROM CASE WHEN invoice.status <> 'draft' THEN invoice.agent_id END`,
  },
  {
    name: 'the commission of a sale is the sum of its commission lines',
    sql: `SELECT terms.workspace_id, terms.invoice_id::text AS detail FROM commission_terms AS terms
      LEFT JOIN commission_lines AS line ON line.workspace_id = terms.workspace_id AND line.invoice_id = terms.invoice_id
      GROUP BY terms.workspace_id, terms.id, terms.invoice_id, terms.earned, terms.agent_id
      HAVING coalesce(sum(line.amount - line.reversed), 0) <> terms.earned OR NOT coalesce(bool_and(line.agent_id = terms.agent_id), TRUE)`,
  },
  {
    name: 'a sale with a plain percentage has earned it on its remaining part',
    sql: `SELECT terms.workspace_id, terms.invoice_id::text AS detail FROM commission_terms AS terms
      JOIN sales_invoices AS invoice ON invoice.workspace_id = terms.workspace_id AND invoice.id = terms.invoice_id
      CROSS JOIN LATERAL (SELECT coalesce(sum(back.net_total), 0) AS net FROM sales_returns AS back
        WHERE back.workspace_id = invoice.workspace_id AND back.invoice_id = invoice.id AND back.status = 'completed') AS taken
      WHERE terms.trigger = 'posting' AND terms.terms ->> 'type' = 'percent' AND terms.terms ->> 'base' = 'net'
        AND num_nonnulls(terms.terms ->> 'min', terms.terms ->> 'max') = 0
        AND abs(CASE invoice.status WHEN 'cancelled' THEN 0 ELSE invoice.net_total - taken.net END * invoice.rate * (terms.terms ->> 'rate')::numeric / 100 - terms.earned) > 1`,
  },
  {
    name: 'a commission line equals its postings, and is paid once all is paid',
    sql: `SELECT line.workspace_id, line.id::text AS detail FROM commission_lines AS line
      LEFT JOIN commission_moves AS move ON move.workspace_id = line.workspace_id AND move.line_id = line.id
      GROUP BY line.workspace_id, line.id, line.amount, line.reversed, line.status
      HAVING ${moved('accrual', 'adjustment')} <> line.amount OR - ${moved('reversal')} <> line.reversed
        OR - ${moved('payment')} <> CASE WHEN line.status = 'paid' THEN line.amount - line.reversed ELSE 0 END`,
  },
  {
    name: 'posted commissions are in the journal, entry by entry',
    sql: `WITH moved AS (
        SELECT workspace_id, journal_id, sum(amount) AS value FROM commission_moves GROUP BY workspace_id, journal_id),
      booked AS (
        SELECT line.workspace_id, line.entry_id, sum(line.credit - line.debit) AS value FROM journal_lines AS line
        JOIN gl_accounts AS account ON account.workspace_id = line.workspace_id AND account.id = line.account_id
        WHERE account.system_role = 'commission_payable' GROUP BY line.workspace_id, line.entry_id)
      SELECT coalesce(moved.workspace_id, booked.workspace_id) AS workspace_id, coalesce(moved.journal_id, booked.entry_id)::text AS detail
      FROM moved FULL JOIN booked ON booked.workspace_id = moved.workspace_id AND booked.entry_id = moved.journal_id
      WHERE moved.value IS DISTINCT FROM booked.value`,
  },
  {
    name: 'commissions payable are the sum of the outstanding commissions',
    sql: `WITH open AS (
        SELECT workspace_id, sum(CASE WHEN status = 'paid' THEN 0 ELSE amount - reversed END) AS value
        FROM commission_lines GROUP BY workspace_id),
      booked AS (SELECT workspace_id, account_id, sum(credit - debit) AS value FROM journal_lines GROUP BY workspace_id, account_id)
      SELECT account.workspace_id, coalesce(booked.value, 0) || ' booked, ' || coalesce(open.value, 0) || ' outstanding' AS detail
      FROM gl_accounts AS account LEFT JOIN open ON open.workspace_id = account.workspace_id
        LEFT JOIN booked ON booked.workspace_id = account.workspace_id AND booked.account_id = account.id
      WHERE account.system_role = 'commission_payable' AND coalesce(booked.value, 0) <> coalesce(open.value, 0)`,
  },
];
