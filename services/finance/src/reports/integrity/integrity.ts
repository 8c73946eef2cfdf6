/** Accounting integrity checks: the auditor's rules within the workspace, compared with inventory. */
import type { AuditCheck } from '@suite/auditor';
import { attemptWithTimeout, raw, sql, remainingTime } from '@suite/chassis/database';
import { deadline } from '@suite/chassis/runtime';
import { subtract } from '@suite/money';
import { checks as rules } from '../audit/audit.ts';
import { HASH_CHAIN, hashChain } from '../audit/ledger-checks.ts';
import type { Books } from '../../ledger/books/books.ts';
import type { Db } from '../../operations.ts';
import { ORDER_RULES, type CheckResult } from '../audit/order-comparison.ts';
import { compareStock, type StockValue } from './stock-comparison.ts';

interface ControlAccount {
  role: string;
  code: string;
  booked: string;
  open: string;
}

/** Entries whose hashes are checked at a time. */
const CHAIN_ENTRIES = 10_000;

/** Returns the checks of the database, with a check for each part of the hash chain. */
const checksOf = (entries: number): readonly AuditCheck[] =>
  rules.flatMap((rule) => {
    if (rule.name !== HASH_CHAIN || entries <= CHAIN_ENTRIES) return [rule];
    return Array.from({ length: Math.ceil(entries / CHAIN_ENTRIES) }, (_, part) =>
      hashChain({ first: part * CHAIN_ENTRIES + 1, last: (part + 1) * CHAIN_ENTRIES }),
    );
  });

/** Result of a check, with its position. */
type NumberedCheck = CheckResult & { number: number };

/** The time to send the response. */
const RESERVE_MS = deadline(400);

/**
 * Runs checks while the caller waits. Chosen: a ledger can have more entries than a request can check, so the next request
 * continues. A check that is too long for a request of its own has no result: an operator runs `npm run audit`.
 * @param from number of the first check to run
 * @returns the results, and the number of the first check that did not run
 */
async function runChecks(db: Db, all: readonly { number: number; rule: AuditCheck }[], from: number) {
  const checks: NumberedCheck[] = [];
  for (const { number, rule } of all.filter((one) => one.number >= from)) {
    const isFirst = number === from;
    const limit = remainingTime() - RESERVE_MS;
    if (limit <= 0 && !isFirst) return { checks, next: number };
    const found = await attemptWithTimeout(Math.max(limit, RESERVE_MS), () =>
      db.rows<{ detail: string }>(sql`SELECT detail FROM (${raw(rule.sql)}) AS wrong LIMIT 20`),
    );
    if (!found && !isFirst) return { checks, next: number };
    const violations = (found ?? []).map(({ detail }) => detail);
    checks.push({ number, name: rule.name, holds: found ? violations.length === 0 : null, violations });
  }
  return { checks, next: null };
}

/** Returns false if a check failed, and null if one has no result or none ran. */
function verdict(checks: readonly CheckResult[], next: number | null): boolean | null {
  if (checks.some(({ holds }) => holds === false)) return false;
  return next === null && checks.length > 0 && checks.every(({ holds }) => holds) ? true : null;
}

interface PreparedReport {
  /** Number of the first check to run. */
  from: number;
  /** Inventory's stock value, and its announced changes. */
  stock: StockValue;
  /** Results of the rules about orders and proposals, from crm and inventory. */
  orders: readonly CheckResult[];
}

/** Returns the integrity report: results from the requested check on, and the totals of all books. */
export async function integrity(db: Db, { base_currency }: Books, { from, stock, orders }: PreparedReport) {
  const controls = await db.rows<ControlAccount>(sql`
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
  const { check, inventory, pending } = await compareStock(db, stock, base_currency);
  // Orders and stock are checked with each first request. The numbers of the other checks follow.
  const early: NumberedCheck[] = from === 1 ? [...orders, check].map((one, at) => ({ ...one, number: at + 1 })) : [];
  const before = Object.keys(ORDER_RULES).length + 1;
  const all = checksOf(entries).map((rule, at) => ({ rule, number: before + at + 1 }));
  const { checks: later, next } = await runChecks(db, all, from);
  const checks = [...early, ...later];
  return {
    sound: verdict(checks, next),
    checks,
    next,
    pending,
    control_accounts: controls.map((one) => ({ ...one, difference: subtract(one.booked, one.open, base_currency) })),
    inventory,
    trial_balance: { debit, credit, difference: subtract(debit, credit, base_currency) },
    entries,
  };
}
