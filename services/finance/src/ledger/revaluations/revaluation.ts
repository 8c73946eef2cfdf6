/** Revaluation of the foreign currency balances on a day: bank accounts, and open items of customers and vendors. */
import { randomUUIDv7 } from 'node:crypto';
import { find, sql } from '@suite/chassis/database';
import { Fault, fault, invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { today } from '@suite/chassis/runtime';
import { booksOf } from '../books/books.ts';
import { postEntry, reverseEntry } from '../ledger/journal.ts';
import type { CommandContext, Db } from '../../operations.ts';
import {
  nextDay,
  oppositeOf,
  type OpenPosition,
  revaluationLines,
  revaluationStates,
  revalue,
  revaluationTotals,
} from './revaluation.rules.ts';
import type { RevaluationInput } from './revaluation.schema.ts';

export const AlreadyRevalued = fault(
  409,
  'already_revalued',
  'The balances of this day have already been revalued. Reverse that revaluation first.',
);
export const RateMissing = fault(
  422,
  'rate_missing',
  'A currency with a balance on this day has no rate. Add its rate.',
);

const signed = sql`sum(CASE WHEN line.debit > 0 THEN line.amount ELSE - line.amount END)`;

/**
 * Returns the foreign currency balances on a day. Chosen: advances are not monetary items (IAS 21.16), since they are
 * settled in goods. They keep the rate of their payment.
 */
async function positionsOn(db: Db, date: string, base_currency: string): Promise<OpenPosition[]> {
  const banks = await db.rows<OpenPosition>(sql`
    SELECT 'bank_account' AS kind, account.id AS account_id, account.code AS account_code, account.name AS account_name,
      NULL AS open_item_id, NULL AS document_type, NULL AS document_id, NULL AS number, NULL AS customer_id, NULL AS vendor_id,
      account.currency, ${signed} AS amount, sum(line.debit - line.credit) AS base_before
    FROM gl_accounts AS account JOIN journal_lines AS line ON line.account_id = account.id
    WHERE account.system_role IN ('bank', 'cash') AND account.currency <> ${base_currency} AND line.date <= ${date}::date
    GROUP BY account.id HAVING ${signed} <> 0 ORDER BY account.code`);
  const items = await db.rows<OpenPosition>(sql`
    SELECT account.system_role AS kind, account.id AS account_id, account.code AS account_code, account.name AS account_name,
      item.id AS open_item_id, item.document_type, item.document_id, item.number, item.customer_id, item.vendor_id,
      item.currency, ${signed} AS amount, sum(line.debit - line.credit) AS base_before
    FROM open_items AS item JOIN gl_accounts AS account ON account.id = item.account_id
      JOIN journal_lines AS line ON line.open_item_id = item.id
    WHERE account.system_role IN ('receivable', 'payable') AND item.currency <> ${base_currency} AND line.date <= ${date}::date
    GROUP BY account.id, item.id HAVING ${signed} <> 0 ORDER BY account.code, item.number, item.id`);
  return [...banks, ...items];
}

/**
 * Returns the rate of each currency and its field in the body. @throws a 422 for a duplicate currency or the base
 * currency
 */
function ratesOf(rates: RevaluationInput['rates'], base_currency: string) {
  const known = new Map<string, { rate: string; field: string }>();
  rates.forEach(({ currency, rate }, at) => {
    const field = `rates.${at}.currency`;
    if (currency === base_currency) throw invalid(field, `The books are in ${currency}. Omit this rate.`);
    if (known.has(currency)) throw invalid(field, 'Enter each currency only once.');
    known.set(currency, { rate, field: `rates.${at}.rate` });
  });
  return known;
}

/** Checks that every currency with a balance has a rate. @throws RateMissing with the currencies */
function assertRates(positions: readonly OpenPosition[], known: ReadonlyMap<string, unknown>): void {
  const missing = [...new Set(positions.map(({ currency }) => currency))].filter((currency) => !known.has(currency));
  if (missing.length === 0) return;
  const { status, code, text } = RateMissing;
  const errors = { rates: [`Add a rate for ${missing.join(', ')}.`] };
  throw new Fault(status, code, text, { errors, details: { currencies: missing } });
}

/**
 * Revalues the foreign currency balances of a day and reverses the entry on the next day, so that later settlements use
 * the rates of their documents. Returns the ID of the revaluation.
 * @throws AlreadyRevalued, RateMissing, PeriodLocked for either day
 */
export async function revalueBalances(
  { db, caller }: CommandContext,
  { date, rates }: RevaluationInput,
): Promise<string> {
  const { base_currency, timezone } = await booksOf(db, caller);
  if (date > today(timezone)) throw invalid('date', 'Choose a day that is not in the future.');
  const known = ratesOf(rates, base_currency);
  // Prevents concurrent postings until the transaction ends.
  await db.rows(sql`SELECT sequence FROM ledger_heads FOR UPDATE`);
  const before = await db.revaluation.findFirst({ where: { date: midnight(date), status: 'posted' } });
  if (before) throw AlreadyRevalued({ id: before.id });
  const positions = await positionsOn(db, date, base_currency);
  assertRates(positions, known);
  const lines = revalue(positions, (currency) => known.get(currency)!, base_currency);
  const id = randomUUIDv7();
  const booked = revaluationLines(lines, base_currency);
  const post = (day: string, purpose: string, entry: typeof booked) =>
    postEntry(db, {
      date: day,
      scope: 'all',
      source_type: 'revaluation',
      source_id: id,
      purpose,
      narration: `Revaluation as of ${date}`,
      lines: entry,
    });
  const journal = booked.length > 0 ? await post(date, 'post', booked) : null;
  const reversal = journal && (await post(nextDay(date), 'next day', oppositeOf(booked)));
  const used = rates.filter(({ currency }) => positions.some((position) => position.currency === currency));
  await db.revaluation.create({
    data: {
      id,
      date: midnight(date),
      rates: used,
      lines: lines.map(({ open_item_id: _, ...line }) => line),
      ...revaluationTotals(lines, base_currency),
      journal_id: journal?.id ?? null,
      reversal_journal_id: reversal?.id ?? null,
    },
  });
  return id;
}

/** Reverses both entries of a revaluation, each on its own date. Repeating has no effect. @throws PeriodLocked */
export async function reverseRevaluation({ db, caller }: CommandContext, id: string): Promise<void> {
  if (!(await revaluationStates.move(db.revaluation, id, 'reverse', {}, caller))) return;
  const { journal_id, reversal_journal_id, date } = await find(db.revaluation, id);
  const narration = `Revaluation as of ${date.toISOString().slice(0, 10)} reversed`;
  for (const entry_id of [journal_id, reversal_journal_id])
    if (entry_id) await reverseEntry(db, entry_id, { narration });
}
