/** Revaluation of the foreign currency balances on a day: bank accounts, and open items of customers and vendors. */
import { randomUUIDv7 } from 'node:crypto';
import { find, sql } from '@suite/chassis/database';
import { Fault, fault, invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { today } from '@suite/chassis/runtime';
import { compare } from '@suite/money';
import { booksOf } from '../books/books.ts';
import { postEntry, reverseEntry } from '../ledger/journal.ts';
import type { CommandContext } from '../../operations.ts';
import { storeBalances } from './balances.ts';
import {
  nextDay,
  oppositeOf,
  revaluationLines,
  revaluationStates,
  type RevaluedSum,
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

/** Exclusive upper limit of amounts in the database. */
const CEILING = '1000000000000000';
const TOO_LARGE = 'The resulting amount is too large. Enter a smaller value.';

/** Checks the rates of a request. @throws a 422 for a duplicate currency or the base currency */
function assertDistinct(rates: RevaluationInput['rates'], base_currency: string): void {
  const known = new Set<string>();
  rates.forEach(({ currency }, at) => {
    const field = `rates.${at}.currency`;
    if (currency === base_currency) throw invalid(field, `The books are in ${currency}. Omit this rate.`);
    if (known.has(currency)) throw invalid(field, 'Enter each currency only once.');
    known.add(currency);
  });
}

/**
 * Checks that every currency with a balance has a rate, and that all values fit into the books.
 * @throws RateMissing with the currencies; a 422 that names the rate
 */
function assertValued(sums: readonly RevaluedSum[], rates: RevaluationInput['rates'], base_currency: string): void {
  const missing = [...new Set(sums.filter((one) => one.has_no_rate).map(({ currency }) => currency))];
  if (missing.length > 0) {
    const { status, code, text } = RateMissing;
    const errors = { rates: [`Add a rate for ${missing.join(', ')}.`] };
    throw new Fault(status, code, text, { errors, details: { currencies: missing } });
  }
  const large = sums.find((one) => one.is_too_large);
  if (large) throw invalid(`rates.${rates.findIndex((one) => one.currency === large.currency)}.rate`, TOO_LARGE);
  const { gain, loss } = revaluationTotals(sums, base_currency);
  if (compare(gain, CEILING) >= 0 || compare(loss, CEILING) >= 0) throw invalid('rates', TOO_LARGE);
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
  assertDistinct(rates, base_currency);
  // Prevents concurrent postings until the transaction ends.
  await db.rows(sql`SELECT sequence FROM ledger_heads FOR UPDATE`);
  const before = await db.revaluation.findFirst({ where: { date: midnight(date), status: 'posted' } });
  if (before) throw AlreadyRevalued({ id: before.id });
  const id = randomUUIDv7();
  const sums = await storeBalances(db, id, { date, rates }, base_currency);
  assertValued(sums, rates, base_currency);
  const booked = revaluationLines(sums, base_currency);
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
  const used = rates.filter(({ currency }) => sums.some((one) => one.currency === currency));
  await db.revaluation.create({
    data: {
      id,
      date: midnight(date),
      rates: used,
      ...revaluationTotals(sums, base_currency),
      journal_id: journal?.id ?? null,
      reversal_journal_id: reversal?.id ?? null,
    },
  });
  return id;
}

/**
 * Reverses both entries of a revaluation, each on its own date. Repeating has no effect. Chosen: unlike other reversals,
 * this one accepts no date. A revaluation is a value on its day, and the opposite entry of the next day already removes
 * it from later days. Reversals on another day would therefore leave the wrong value on the day, and change a day that
 * is right.
 * @throws PeriodLocked
 */
export async function reverseRevaluation({ db, caller }: CommandContext, id: string): Promise<void> {
  if (!(await revaluationStates.move(db.revaluation, id, 'reverse', {}, caller))) return;
  const { journal_id, reversal_journal_id, date } = await find(db.revaluation, id);
  const narration = `Revaluation as of ${date.toISOString().slice(0, 10)} reversed`;
  for (const entry_id of [journal_id, reversal_journal_id])
    if (entry_id) await reverseEntry(db, entry_id, { narration });
}
