/** Requests against an account: whether they can be granted, and which lots they are charged to. */
import {
  type Account,
  byDay,
  copyOf,
  type LeaveDay,
  type Line,
  post,
  restore,
  take,
  type Taking,
  takingsOf,
  uncovered,
} from './account.rules.ts';
import { later } from './calendar.rules.ts';
import { type Holder, settle } from './settlement.rules.ts';

/** An amount that is missing on a walk through time, and where it is missing first. */
export interface Shortage {
  short: number;
  first_short_on: string;
}

const sizeOf = ({ application_id, day, charges }: Taking): LeaveDay => ({
  application_id,
  day,
  days: [...charges.values()].reduce((sum, days) => sum + days, 0),
});

/** Releases the days that are still to come, so that they can be charged anew in the order of the calendar. */
function release(account: Account, today: string): LeaveDay[] {
  const coming = takingsOf(account).filter(({ day }) => day >= today);
  const days = coming.map(sizeOf);
  for (const taking of coming) restore(account, taking);
  return days;
}

/**
 * Walks through time from today on: over the lots, the grants to come where the policy plans ahead, what expires, and all days
 * that are taken, held and asked for. The account must be settled up to today.
 * @returns what is missing where more would be owed on some day than the policy allows
 */
export function walk(
  account: Account,
  holder: Holder,
  today: string,
  asked: readonly LeaveDay[],
): Shortage | undefined {
  const { plan_ahead, allow_negative_to } = holder.policy;
  const trial = copyOf(account);
  const days = [...release(trial, today), ...trial.held, ...asked].toSorted(byDay);
  trial.held = [];
  let shortage: Shortage | undefined;
  let since = today;
  for (const leave of days) {
    if (leave.day > since) settle(trial, holder, { since, until: leave.day, grants: plan_ahead });
    since = later(since, leave.day);
    take(trial, leave);
    const short = uncovered(trial) - allow_negative_to;
    if (short > 0)
      shortage = {
        short: Math.max(short, shortage?.short ?? 0),
        first_short_on: shortage?.first_short_on ?? leave.day,
      };
  }
  return shortage;
}

/** How much is spent of the lots that end on one day, and what no lot covers of each day: two charges that agree cost alike. */
function costOf(account: Account): string {
  const ends = new Map(account.lots.map(({ id, valid_to }) => [id, valid_to]));
  const spent = new Map<string, number>();
  for (const { day, charges } of takingsOf(account))
    for (const [lot, days] of charges) {
      const where = lot === null ? `open ${day}` : `until ${ends.get(lot)}`;
      spent.set(where, (spent.get(where) ?? 0) + days);
    }
  return JSON.stringify([...spent].toSorted(([one], [other]) => one.localeCompare(other)));
}

/** The lines that lead from one charge of the days to another one: first what is given back, then what is taken. */
function recharge(account: Account, target: Account): Line[] {
  const moves = [...target.takings].flatMap(([key, { application_id, day, charges }]) => {
    const now = account.takings.get(key)?.charges ?? new Map<string | null, number>();
    const lots = [...new Set([...now.keys(), ...charges.keys()])];
    return lots.map((lot_id) => {
      const days = (charges.get(lot_id) ?? 0) - (now.get(lot_id) ?? 0);
      return { kind: days < 0 ? ('restored' as const) : ('taken' as const), days: -days, lot_id, application_id, day };
    });
  });
  const given = moves.filter(({ days }) => days > 0);
  const taken = moves.filter(({ days }) => days < 0);
  return [...given, ...taken].map((move) => post(account, move));
}

/**
 * Takes the days of an application. Each is charged to the lot that expires first of those that are valid on it. Days that
 * are still to come move to other lots only where that leaves more to take: whoever asks first must not lose by it.
 */
export function takeAll(account: Account, today: string, days: readonly LeaveDay[]): Line[] {
  const simple = copyOf(account);
  for (const day of days.toSorted(byDay)) take(simple, day);
  const best = copyOf(account);
  for (const day of [...release(best, today), ...days].toSorted(byDay)) take(best, day);
  return recharge(account, costOf(simple) === costOf(best) ? simple : best);
}

/** Gives back the days of an application from a day on, to the lots that they were charged to. */
export const restoreAll = (account: Account, application_id: string, from = ''): Line[] =>
  takingsOf(account)
    .filter((taking) => taking.application_id === application_id && taking.day >= from)
    .flatMap((taking) => restore(account, taking));
