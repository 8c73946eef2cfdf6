/**
 * Rules for the revaluation of foreign currency balances at the end of a period: differences, posting rule and
 * lifecycle.
 */
import { lifecycle } from '@suite/chassis/operations';
import { compare, isZero, roundTo, subtract, sum, toBase } from '@suite/money';
import type { SystemRole } from '../books/seeded-chart.ts';
import { asValidationError } from '@suite/document-lines';
import type { BaseLine } from '../ledger/journal.rules.ts';

/**
 * Revaluation statuses. Chosen: the permission to lock periods includes their revaluation, as both belong to the
 * closing.
 */
export const revaluationStates = lifecycle(
  'revaluation',
  { posted: { reverse: 'reversed' }, reversed: {} },
  { actions: { reverse: 'ledger.lock' } },
);

/** Balance in a foreign currency: a bank account, or an open item of a customer or vendor. Debits are positive. */
export interface OpenPosition {
  kind: 'bank_account' | 'receivable' | 'payable';
  account_id: string;
  account_code: string;
  account_name: string;
  open_item_id: string | null;
  document_type: string | null;
  document_id: string | null;
  number: string | null;
  customer_id: string | null;
  vendor_id: string | null;
  currency: string;
  amount: string;
  base_before: string;
}

/** Position with its base value at the rate of the day. */
export interface RevaluedPosition extends OpenPosition {
  base_after: string;
  difference: string;
}

/** Unrealised gain and loss of a revaluation, in base currency. */
export interface RevaluationTotals {
  gain: string;
  loss: string;
}

/** Values positions at the rates of a day. @throws a 422 that names the rate, if the result is too large */
export const revalue = (
  positions: readonly OpenPosition[],
  rateOf: (currency: string) => { rate: string; field: string },
  base_currency: string,
): RevaluedPosition[] =>
  positions.map((position) => {
    const { rate, field } = rateOf(position.currency);
    const amount = roundTo(position.amount, position.currency);
    const base_after = asValidationError(
      () => toBase(amount, rate, base_currency),
      () => field,
    );
    const base_before = roundTo(position.base_before, base_currency);
    return {
      ...position,
      amount,
      base_before,
      base_after,
      difference: subtract(base_after, base_before, base_currency),
    };
  });

/** Returns the totals of a revaluation. */
export function revaluationTotals(positions: readonly RevaluedPosition[], base_currency: string): RevaluationTotals {
  const differences = positions.map(({ difference }) => difference);
  const loss = sum(
    differences.filter((value) => value.startsWith('-')),
    base_currency,
  );
  return {
    gain: sum(
      differences.filter((value) => !value.startsWith('-')),
      base_currency,
    ),
    loss: loss.replace('-', ''),
  };
}

/** Returns a line with a base value only, without an amount in the foreign currency. */
const baseLine = (
  account: { id: string } | SystemRole,
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

/** Returns the journal lines of a revaluation: the difference of each position, and the unrealised gain or loss. */
export function revaluationLines(positions: readonly RevaluedPosition[], base_currency: string): BaseLine[] {
  const changed = positions.filter(({ difference }) => !isZero(difference));
  const { gain, loss } = revaluationTotals(changed, base_currency);
  const inBase = { currency: base_currency, base_currency };
  return [
    ...changed.map(({ account_id, open_item_id, customer_id, vendor_id, currency, difference, number }) => ({
      ...baseLine({ id: account_id }, difference, { currency, base_currency }),
      ...(open_item_id && {
        open_item_id,
        party: customer_id
          ? { kind: 'customer' as const, id: customer_id }
          : { kind: 'vendor' as const, id: vendor_id! },
      }),
      memo: number ?? '',
    })),
    ...(compare(gain, '0') > 0 ? [baseLine('fx_unrealised_gain', `-${gain}`, inBase)] : []),
    ...(compare(loss, '0') > 0 ? [baseLine('fx_unrealised_loss', loss, inBase)] : []),
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
