/**
 * Commissions of sales. A sale stores the terms of its posting. After each event (posting, return, payment, voided
 * payment), its earned commission is recomputed and the difference is posted.
 *
 * The lock is on the open item of the invoice. Transactions that change the sale hold this lock, as do transactions
 * that pay its commission. The commission lines are locked after the open item and before the journal, or while the
 * lock is held.
 */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { CommissionAccrued } from '@suite/proto/finance/v1/events';
import { compare, isZero, subtract, sum, toBase } from '@suite/money';
import { postEntry } from '../../ledger/ledger/journal.ts';
import { toBaseCurrency } from '../../ledger/ledger/journal.rules.ts';
import type { Db, CommandContext } from '../../operations.ts';
import { commissionOf, type CommissionableSale, type CommissionTerms } from '../commission-plans/plan.rules.ts';
import { accrualLines, commissionStates } from './commission.rules.ts';

/** Sale with the terms and current amounts that commissions need. */
interface AgentSale extends Omit<CommissionableSale, 'base'> {
  id: string;
  invoice_id: string;
  agent_id: string;
  code: string;
  number: string;
  rate: string;
  net: string;
  cost: string;
  trigger: CommissionTerms['trigger'];
  terms: CommissionTerms;
  earned: string;
  earned_base: string;
}

/** Reason for a commission change: the day, and the source document. */
export interface CommissionCause {
  date: string;
  /** Document that posts the change. Undefined for changes by payments. */
  source?: { source_type: 'sales_invoice' | 'sales_return'; source_id: string; purpose?: string };
}

/**
 * Records the terms of an agent's sale when the invoice is posted. Runs before the journal entry, because other
 * transactions wait for the journal.
 * @returns true if a commission can be earned
 */
export async function recordTerms(db: Db, invoice_id: string, currency: string): Promise<boolean> {
  const rows = await db.rows<{ plan_id: string | null }>(sql`
    INSERT INTO commission_terms (id, invoice_id, agent_id, plan_id, trigger, terms, currency)
    SELECT ${randomUUIDv7()}::uuid, invoice.id, agent.id, plan.id, plan.trigger,
      CASE WHEN plan.id IS NOT NULL THEN jsonb_build_object('type', plan.type, 'base', plan.base, 'trigger', plan.trigger,
        'rate', trim_scale(plan.rate)::text, 'fixed_amount', plan.fixed_amount::text, 'tiers', plan.tiers,
        'min', plan.min::text, 'max', plan.max::text) END, ${currency}
    FROM sales_invoices AS invoice JOIN agents AS agent ON agent.id = invoice.agent_id
      LEFT JOIN commission_plans AS plan ON plan.id = agent.plan_id AND plan.active
        AND invoice.invoice_date >= coalesce(plan.valid_from, '-infinity') AND invoice.invoice_date < coalesce(plan.valid_to, 'infinity')
    WHERE invoice.id = ${invoice_id}::uuid RETURNING plan_id`);
  return rows.some(({ plan_id }) => plan_id !== null);
}

/**
 * Returns the current state of sales whose terms allow a commission. Chosen: a credit note for the invoice's own return
 * is not a payment of the invoice. A credit note of another invoice is, because that invoice was paid.
 */
const readSales = (db: Db, invoice_ids: readonly string[]): Promise<AgentSale[]> =>
  db.rows<AgentSale>(sql`
    SELECT terms.id, terms.invoice_id, terms.agent_id, terms.trigger, terms.terms, terms.currency, terms.earned, terms.earned_base,
      agent.code, invoice.number, invoice.rate, invoice.total,
      CASE WHEN invoice.status = 'cancelled' THEN 0 ELSE invoice.total - back.total END AS remaining,
      invoice.net_total - back.net AS net, goods.cost - back.cost AS cost,
      least(invoice.total - back.total, item.settled - own.credited) AS collected
    FROM commission_terms AS terms JOIN sales_invoices AS invoice ON invoice.id = terms.invoice_id
      JOIN agents AS agent ON agent.id = terms.agent_id
      JOIN open_items AS item ON item.document_type = 'sales_invoice' AND item.document_id = invoice.id
      CROSS JOIN LATERAL (SELECT coalesce(sum(line.cost), 0) AS cost FROM invoice_lines AS line
        WHERE line.sales_invoice_id = invoice.id) AS goods
      CROSS JOIN LATERAL (SELECT coalesce(sum(part.total), 0) AS total, coalesce(sum(part.net), 0) AS net, coalesce(sum(part.cost), 0) AS cost
        FROM sales_returns AS taken JOIN return_lines AS part ON part.sales_return_id = taken.id
        WHERE taken.invoice_id = invoice.id AND taken.status = 'completed') AS back
      CROSS JOIN LATERAL (SELECT coalesce(sum(part.amount), 0) AS credited FROM allocations AS part
        JOIN notes AS note ON note.open_item_id = part.credit_id
        WHERE part.claim_id = item.id AND note.invoice_id = invoice.id AND note.kind = 'credit') AS own
    WHERE terms.invoice_id = ANY(${invoice_ids}::uuid[]) AND terms.plan_id IS NOT NULL
    ORDER BY terms.invoice_id`);

function baseOf({ terms, remaining, net, cost, rate, currency }: AgentSale): string {
  const value = toBase(terms.base === 'gross' ? remaining : net, rate, currency);
  return terms.base === 'margin' ? subtract(value, cost, currency) : value;
}

/** Change of the posted commission of one line. */
interface CommissionMove {
  line_id: string;
  kind: 'accrual' | 'adjustment' | 'reversal';
  amount: string;
}

/** Creates a commission line. A negative line claws back a paid commission. */
async function createLine(
  { db, emit }: CommandContext,
  sale: AgentSale,
  amount: string,
  base: string,
  date: string,
): Promise<CommissionMove> {
  const { agent_id, invoice_id, currency, terms } = sale;
  const id = randomUUIDv7();
  const isBack = amount.startsWith('-');
  await db.rows(sql`
    INSERT INTO commission_lines (id, agent_id, invoice_id, kind, date, currency, base_amount, rate, amount)
    VALUES (${id}::uuid, ${agent_id}::uuid, ${invoice_id}::uuid, ${isBack ? 'clawback' : 'accrual'}, ${date}::date, ${currency},
      ${base}::numeric, ${terms.type === 'percent' ? terms.rate : null}::numeric, ${amount}::numeric)`);
  emit(CommissionAccrued, { commission_id: id, agent_id, sales_invoice_id: invoice_id, amount, currency });
  return { line_id: id, kind: isBack ? 'adjustment' : 'accrual', amount };
}

/**
 * Returns the first day since which the earned commission of a sale is at least the excess. A return can be dated before
 * the payment that earned the commission: the reversal then takes effect with the payment, as settlements do.
 */
async function reversalDay(db: Db, invoice_id: string, excess: string, date: string): Promise<string> {
  const [found] = await db.rows<{ date: string }>(sql`
    WITH run AS (
      SELECT move.date, sum(sum(move.amount)) OVER (ORDER BY move.date) AS earned
      FROM commission_moves AS move JOIN commission_lines AS line ON line.id = move.line_id
      WHERE line.invoice_id = ${invoice_id}::uuid AND move.kind <> 'payment' GROUP BY move.date)
    SELECT greatest(${date}::date, min(run.date))::text AS date FROM run
    WHERE run.date > coalesce((SELECT max(short.date) FROM run AS short WHERE short.earned < ${excess}::numeric), '-infinity')`);
  return found!.date;
}

/**
 * Reverses excess commission. Unpaid lines come first: lines of the day or before, then lines without approval, then the
 * newest. The paid part becomes a negative line.
 */
async function reverseCommission(
  context: CommandContext,
  sale: AgentSale,
  excess: string,
  base: string,
  date: string,
): Promise<CommissionMove[]> {
  const { db } = context;
  const { currency, invoice_id } = sale;
  const open = await db.rows<{ id: string; amount: string; reversed: string }>(sql`
    SELECT id, amount, reversed FROM commission_lines
    WHERE invoice_id = ${invoice_id}::uuid AND kind = 'accrual' AND status IN ('accrued', 'approved')
    ORDER BY date > ${date}::date, status = 'approved', id DESC FOR UPDATE`);
  let remainder = excess;
  const moves: CommissionMove[] = [];
  for (const { id, amount, reversed } of open) {
    if (isZero(remainder)) break;
    const there = subtract(amount, reversed, currency);
    const taken = compare(there, remainder) < 0 ? there : remainder;
    remainder = subtract(remainder, taken, currency);
    const now = sum([reversed, taken], currency);
    if (compare(now, amount) === 0) await commissionStates.move(db.commissionLine, id, 'reverse', { reversed: now });
    else await db.rows(sql`UPDATE commission_lines SET reversed = ${now}::numeric WHERE id = ${id}::uuid`);
    moves.push({ line_id: id, kind: 'reversal', amount: subtract('0', taken, currency) });
  }
  if (isZero(remainder)) return moves;
  return [...moves, await createLine(context, sale, subtract('0', remainder, currency), base, date)];
}

async function postChange(
  db: Db,
  sale: AgentSale,
  change: string,
  moves: readonly CommissionMove[],
  { date, source }: CommissionCause,
) {
  const { code, number, currency } = sale;
  const { id: journal_id } = await postEntry(db, {
    date,
    scope: 'sales',
    purpose: 'commission',
    narration: `${number}: commission of ${code}`,
    ...(source ?? { source_type: 'commission', source_id: randomUUIDv7() }),
    lines: toBaseCurrency(accrualLines(change, code), { currency, rate: '1', base_currency: currency }),
  });
  const rows = moves.map((move) => ({ ...move, id: randomUUIDv7(), date, journal_id }));
  await db.rows(sql`
    INSERT INTO commission_moves (id, line_id, kind, date, amount, journal_id)
    SELECT id, line_id, kind, date, amount, journal_id FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS move (id uuid, line_id uuid, kind text, date date, amount numeric, journal_id uuid)`);
}

/** Adjusts the posted commission of a sale to its current commission. Does nothing if both are equal. */
async function adjustCommission(context: CommandContext, sale: AgentSale, cause: CommissionCause): Promise<void> {
  const { db } = context;
  const { currency, id } = sale;
  const now = commissionOf(sale.terms, { ...sale, base: baseOf(sale) });
  const change = subtract(now.amount, sale.earned, currency);
  const base = subtract(now.base, sale.earned_base, currency);
  if (isZero(change) && isZero(base)) return;
  await db.rows(sql`
    UPDATE commission_terms SET earned = ${now.amount}::numeric, earned_base = ${now.base}::numeric WHERE id = ${id}::uuid`);
  if (isZero(change)) return;
  if (!change.startsWith('-')) {
    await postChange(db, sale, change, [await createLine(context, sale, change, base, cause.date)], cause);
    return;
  }
  const excess = change.slice(1);
  const date = await reversalDay(db, sale.invoice_id, excess, cause.date);
  await postChange(db, sale, change, await reverseCommission(context, sale, excess, base, date), { ...cause, date });
}

/** Accrues the commission of an invoice in the transaction that posts it. @throws PeriodLocked */
export async function earnCommission(
  context: CommandContext,
  { id, invoice_date: date }: { id: string; invoice_date: string },
) {
  const cause = { date, source: { source_type: 'sales_invoice', source_id: id } } as const;
  for (const sale of await readSales(context.db, [id])) await adjustCommission(context, sale, cause);
}

/**
 * Reverses the commission of returned goods after the return is completed. The open item of its invoice must be locked.
 * @throws PeriodLocked
 */
export async function returnCommission(
  context: CommandContext,
  goodsReturn: { id: string; invoice_id: string; return_date: string },
) {
  const cause = {
    date: goodsReturn.return_date,
    source: { source_type: 'sales_return', source_id: goodsReturn.id },
  } as const;
  for (const sale of await readSales(context.db, [goodsReturn.invoice_id]))
    await adjustCommission(context, sale, cause);
}

/** Reverses the commission of a cancelled invoice, whose open item must be locked. @throws PeriodLocked */
export async function cancelCommission(context: CommandContext, invoice: { id: string }, date: string): Promise<void> {
  const source = { source_type: 'sales_invoice', source_id: invoice.id, purpose: 'commission cancelled' } as const;
  for (const sale of await readSales(context.db, [invoice.id])) await adjustCommission(context, sale, { date, source });
}

/** Updates commissions earned with the payment, after a settlement of invoices. Their items must be locked. */
export async function adjustPaidCommissions(
  context: CommandContext,
  invoice_ids: readonly string[],
  date: string,
): Promise<void> {
  if (invoice_ids.length === 0) return;
  const sale = await readSales(context.db, invoice_ids);
  for (const one of sale.filter(({ trigger }) => trigger === 'payment')) await adjustCommission(context, one, { date });
}
