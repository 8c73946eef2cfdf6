/** Accounting integrity checks: the auditor's rules within the workspace, compared with inventory. */
import { raw, sql } from '@suite/chassis/database';
import { subtract } from '@suite/money';
import { checks as rules } from '../audit/audit.ts';
import type { Books } from '../../ledger/books/books.ts';
import type { Db } from '../../operations.ts';
import type { ProvenRule } from '../audit/order-proof.ts';
import { proveStock, type Stock } from './stock-proof.ts';

interface Control {
  role: string;
  code: string;
  booked: string;
  open: string;
}

/**
 * @param stock inventory's stock value, and its announced changes
 * @param orders results of the rules about orders and proposals, from crm and inventory
 */
export async function integrity(db: Db, { base_currency }: Books, stock: Stock, orders: readonly ProvenRule[]) {
  const checks = [];
  for (const { name, sql: question } of rules) {
    const found = await db.rows<{ detail: string }>(sql`SELECT detail FROM (${raw(question)}) AS wrong LIMIT 20`);
    checks.push({ name, holds: found.length === 0, violations: found.map(({ detail }) => detail) });
  }
  const controls = await db.rows<Control>(sql`
    SELECT account.system_role AS role, account.code,
      coalesce((SELECT sum(debit - credit) FROM journal_lines WHERE account_id = account.id), 0) AS booked,
      coalesce((SELECT sum(CASE WHEN voided THEN 0
        WHEN (kind = 'claim') = (customer_id IS NOT NULL) THEN base_amount - base_settled ELSE base_settled - base_amount END)
        FROM open_items WHERE account_id = account.id), 0) AS open
    FROM gl_accounts AS account
    WHERE account.system_role IN ('receivable', 'payable', 'customer_advances', 'vendor_advances') ORDER BY account.code`);
  const [totals] = await db.rows<{ debit: string; credit: string; entries: number }>(sql`
    SELECT coalesce(sum(line.debit), 0) AS debit, coalesce(sum(line.credit), 0) AS credit,
      (SELECT count(*)::int FROM journal_entries) AS entries
    FROM journal_lines AS line`);
  const { debit, credit, entries } = totals!;
  const { check, inventory, pending } = await proveStock(db, stock, base_currency);
  checks.push(check, ...orders);
  return {
    sound: checks.every(({ holds }) => holds),
    checks,
    pending,
    control_accounts: controls.map((one) => ({ ...one, difference: subtract(one.booked, one.open, base_currency) })),
    inventory,
    trial_balance: { debit, credit, difference: subtract(debit, credit, base_currency) },
    entries,
  };
}
