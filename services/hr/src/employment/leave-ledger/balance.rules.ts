/** Leave balances of an employee for a leave type on a day, in hundredths of a day. */
import {
  type LeaveAccount,
  copyOf,
  reservedByLot,
  byExpiry,
  isValidOn,
  type LeaveLedgerKind,
  type LeaveLot,
  takingsOf,
} from './account.rules.ts';
import { yearOf } from './calendar.rules.ts';
import { type LeaveHolder, settleAccount } from './settlement.rules.ts';

export interface BalanceDays {
  /** Days granted in the year of the day, up to that day, by the policy and by adjustments. */
  entitled: number;
  /** Days carried into that year. */
  carried: number;
  /** Approved days of that year, including future ones. */
  taken: number;
  /** Pending days of that year. */
  pending: number;
  /** Days expired in that year, up to that day. */
  expired: number;
  /** Days paid out in that year, up to that day. */
  encashed: number;
  /** Days available on the day: the remainder of valid lots, less held and excess days. */
  available: number;
  lots: LeaveLot[];
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Returns the changes of each lot after a day, to restore the lot's state on that day. */
const changesAfter = (account: LeaveAccount, day: string): Map<string, number> => {
  const later = account.lines.filter(
    ({ lot_id, day: of, valid_from }) => lot_id !== null && of === null && valid_from !== null && valid_from > day,
  );
  return new Map(
    [...Map.groupBy(later, ({ lot_id }) => lot_id!)].map(([lot, lines]) => [lot, -sum(lines.map(({ days }) => days))]),
  );
};

/**
 * Returns the balance as of a day. All taken and pending days known today count, with the lots valid on that day.
 * Grants up to that day are included, also future ones.
 * @param account settled up to today
 */
export function balanceAsOf(account: LeaveAccount, holder: LeaveHolder, today: string, day: string): BalanceDays {
  const then = copyOf(account);
  if (day > today) settleAccount(then, holder, { since: today, until: day });
  const undone = changesAfter(then, day);
  const reserved = reservedByLot(then);
  const lots = then.lots
    .filter((lot) => isValidOn(lot, day))
    .toSorted(byExpiry)
    .map((lot) => ({ ...lot, left: lot.left + (undone.get(lot.id) ?? 0) }));
  const year = yearOf(day);
  const lines = (kinds: readonly LeaveLedgerKind[]) =>
    sum(
      then.lines
        .filter(
          ({ kind, valid_from }) =>
            kinds.includes(kind) && valid_from && valid_from <= day && yearOf(valid_from) === year,
        )
        .map(({ days }) => days),
    );
  const takings = takingsOf(then);
  const inYear = ({ day: of }: { day: string }) => yearOf(of) === year;
  const uncovered =
    sum(takings.filter(({ day: of }) => of <= day).map(({ charges }) => charges.get(null) ?? 0)) + then.owed;
  return {
    entitled: lines(['allocation', 'accrual', 'adjustment']),
    carried: sum(
      then.lots
        .filter(({ kind, valid_from }) => kind === 'carry_forward' && valid_from <= day && yearOf(valid_from) === year)
        .map(({ granted }) => granted),
    ),
    taken: sum(takings.filter(inYear).map(({ charges }) => sum([...charges.values()]))),
    pending: sum(then.held.filter(inYear).map(({ days }) => days)),
    expired: -lines(['expiry']),
    encashed: -lines(['encash']),
    available: sum(lots.map(({ id, left }) => left - (reserved.get(id) ?? 0))) - uncovered,
    lots,
  };
}
