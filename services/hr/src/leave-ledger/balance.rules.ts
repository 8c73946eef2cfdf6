/** Balances: what somebody has of a type of leave as of a day, in hundredths of a day. */
import { type Account, copyOf, heldOf, inOrder, isValidOn, type Kind, type Lot, takingsOf } from './account.rules.ts';
import { yearOf } from './calendar.rules.ts';
import { type Holder, settle } from './settlement.rules.ts';

export interface Balance {
  /** Granted in the year of the day and until that day: by the rule, and by hand. */
  entitled: number;
  /** Carried into that year. */
  carried: number;
  /** Days of that year that are approved, also those to come. */
  taken: number;
  /** Days of that year that nobody has decided yet. */
  pending: number;
  /** Expired in that year and until that day. */
  expired: number;
  /** Paid out in that year and until that day. */
  encashed: number;
  /** Days that can be taken then: left of the lots that are valid on it, less what is held and owed. */
  available: number;
  lots: Lot[];
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Changes of a lot after a day, so that the day can be looked at as it was. */
const undoneAfter = (account: Account, day: string): Map<string, number> => {
  const later = account.lines.filter(
    ({ lot_id, day: of, valid_from }) => lot_id !== null && of === null && valid_from !== null && valid_from > day,
  );
  return new Map(
    [...Map.groupBy(later, ({ lot_id }) => lot_id!)].map(([lot, lines]) => [lot, -sum(lines.map(({ days }) => days))]),
  );
};

/**
 * The balance as of a day: all that is known now of days taken and asked for, the lots that are valid on that day, and before it
 * or after it what has been or will be granted by then.
 * @param account settled up to today
 */
export function balanceAsOf(account: Account, holder: Holder, today: string, day: string): Balance {
  const then = copyOf(account);
  if (day > today) settle(then, holder, { since: today, until: day });
  const undone = undoneAfter(then, day);
  const held = heldOf(then);
  const lots = then.lots
    .filter((lot) => isValidOn(lot, day))
    .toSorted(inOrder)
    .map((lot) => ({ ...lot, left: lot.left + (undone.get(lot.id) ?? 0) }));
  const year = yearOf(day);
  const lines = (kinds: readonly Kind[]) =>
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
  const owed = sum(takings.filter(({ day: of }) => of <= day).map(({ charges }) => charges.get(null) ?? 0)) + then.owed;
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
    available: sum(lots.map(({ id, left }) => left - (held.get(id) ?? 0))) - owed,
    lots,
  };
}
