/**
 * Rules for the revaluation of foreign currency balances at the end of a period: differences, posting rule and
 * lifecycle.
 */
import { lifecycle } from '@suite/chassis/operations';
import { isZero, roundTo, subtract, sum } from '@suite/money';
import type { AccountRef, BaseLine } from '../ledger/journal.rules.ts';

/**
 * Revaluation statuses. Chosen: the permission to lock periods includes their revaluation, as both belong to the
 * closing.
 */
export const revaluationStates = lifecycle(
  'revaluation',
  { posted: { reverse: 'reversed' }, reversed: {} },
  { actions: { reverse: 'ledger.lock' } },
);

/** Revalued balances of an account in one currency: the sums of their gains and of their losses, in base currency. */
export interface RevaluedSum extends RevaluationTotals {
  kind: 'bank_account' | 'receivable' | 'payable';
  account_id: string;
  currency: string;
  has_no_rate: boolean;
  /** True if the value of a balance is too large. */
  is_too_large: boolean;
}

/** Unrealised gain and loss of a revaluation, in base currency. */
export interface RevaluationTotals {
  gain: string;
  loss: string;
}

/** Returns the totals of a revaluation. */
export function revaluationTotals(sums: readonly RevaluedSum[], base_currency: string): RevaluationTotals {
  const total = (side: keyof RevaluationTotals) =>
    sum(
      sums.map((one) => roundTo(one[side], base_currency)),
      base_currency,
    );
  return { gain: total('gain'), loss: total('loss') };
}

/** Returns a line with a base value only, without an amount in the foreign currency. */
const baseLine = (
  account: AccountRef,
  value: string,
  { currency, base_currency }: { currency: string; base_currency: string },
): BaseLine => ({
  account,
  side: value.startsWith('-') ? 'credit' : 'debit',
  amount: '0',
  base: value.replace('-', ''),
  currency,
  rate: '1',
  base_currency,
});

/**
 * Returns the account of a difference. Chosen: differences of open items are posted to adjustment accounts of the
 * balance sheet, one line for each currency. The control accounts stay equal to the open items on every day, and the
 * size of the entry does not depend on the number of items.
 */
const accountOf = ({ kind, account_id }: RevaluedSum): AccountRef =>
  kind === 'bank_account' ? { id: account_id } : `${kind}_revaluation`;

/** Returns the journal lines of a revaluation: the difference of each sum, and the unrealised gain or loss. */
export function revaluationLines(sums: readonly RevaluedSum[], base_currency: string): BaseLine[] {
  const { gain, loss } = revaluationTotals(sums, base_currency);
  const inBase = { currency: base_currency, base_currency };
  const differences = sums.flatMap((one) => {
    const [up, down] = [roundTo(one.gain, base_currency), roundTo(one.loss, base_currency)];
    const difference = subtract(up, down, base_currency);
    return isZero(difference) ? [] : [baseLine(accountOf(one), difference, { ...inBase, currency: one.currency })];
  });
  return [
    ...differences,
    ...(isZero(gain) ? [] : [baseLine('fx_unrealised_gain', `-${gain}`, inBase)]),
    ...(isZero(loss) ? [] : [baseLine('fx_unrealised_loss', loss, inBase)]),
  ];
}

/** Returns the lines with debit and credit exchanged. */
export const oppositeOf = (lines: readonly BaseLine[]): BaseLine[] =>
  lines.map((line) => ({ ...line, side: line.side === 'debit' ? 'credit' : 'debit' }));

/** Returns the following day. */
export function nextDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}
