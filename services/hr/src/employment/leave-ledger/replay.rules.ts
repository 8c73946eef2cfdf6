/** Checks requests against an account: whether they can be granted, and which lots they are charged to. */
import {
  type LeaveAccount,
  byDay,
  copyOf,
  type LeaveDay,
  type LeaveLedgerLine,
  postLine,
  restoreCharges,
  deductLeave,
  type LeaveTaking,
  takingsOf,
  uncoveredDays,
} from './account.rules.ts';
import { laterOf } from './calendar.rules.ts';
import { type LeaveHolder, settleAccount } from './settlement.rules.ts';

/** Missing amount on a walk through time, and the first day on which it is missing. */
export interface Shortage {
  short: number;
  first_short_on: string;
}

const sizeOf = ({ application_id, day, charges }: LeaveTaking): LeaveDay => ({
  application_id,
  day,
  days: [...charges.values()].reduce((sum, days) => sum + days, 0),
});

/** Releases future days, so that they can be charged again in calendar order. */
function releaseFutureDays(account: LeaveAccount, today: string): LeaveDay[] {
  const coming = takingsOf(account).filter(({ day }) => day >= today);
  const days = coming.map(sizeOf);
  for (const taking of coming) restoreCharges(account, taking);
  return days;
}

/**
 * Simulates an account from today on. Includes lots, expiry, and all taken, held and requested days. Future grants are
 * included if the policy plans ahead. The account must be settled up to today.
 * @returns the shortage, if the balance would fall below the policy's limit on any day
 */
export function replayLedger(
  account: LeaveAccount,
  holder: LeaveHolder,
  today: string,
  requested: readonly LeaveDay[],
): Shortage | undefined {
  const { plan_ahead, allow_negative_to } = holder.policy;
  const trial = copyOf(account);
  const days = [...releaseFutureDays(trial, today), ...trial.held, ...requested].toSorted(byDay);
  trial.held = [];
  let shortage: Shortage | undefined;
  let since = today;
  for (const leave of days) {
    if (leave.day > since) settleAccount(trial, holder, { since, until: leave.day, grants: plan_ahead });
    since = laterOf(since, leave.day);
    deductLeave(trial, leave);
    const short = uncoveredDays(trial) - allow_negative_to;
    if (short > 0)
      shortage = {
        short: Math.max(short, shortage?.short ?? 0),
        first_short_on: shortage?.first_short_on ?? leave.day,
      };
  }
  return shortage;
}

/**
 * Returns the cost of an account: days spent for each lot expiry, and uncovered days. Charges with equal results have
 * the same cost.
 */
function costOf(account: LeaveAccount): string {
  const ends = new Map(account.lots.map(({ id, valid_to }) => [id, valid_to]));
  const spent = new Map<string, number>();
  for (const { day, charges } of takingsOf(account))
    for (const [lot, days] of charges) {
      const where = lot === null ? `open ${day}` : `until ${ends.get(lot)}`;
      spent.set(where, (spent.get(where) ?? 0) + days);
    }
  return JSON.stringify([...spent].toSorted(([one], [other]) => one.localeCompare(other)));
}

/** Returns the lines that change one charge of the days into another, restored days first. */
function moveCharges(account: LeaveAccount, target: LeaveAccount): LeaveLedgerLine[] {
  const moves = [...target.takings].flatMap(([key, { application_id, day, charges }]) => {
    const now = account.takings.get(key)?.charges ?? new Map<string | null, number>();
    const lots = [...new Set([...now.keys(), ...charges.keys()])];
    return lots.map((lot_id) => {
      const days = (charges.get(lot_id) ?? 0) - (now.get(lot_id) ?? 0);
      return { kind: days < 0 ? ('restored' as const) : ('taken' as const), days: -days, lot_id, application_id, day };
    });
  });
  const lines = moves.filter(({ days }) => days > 0);
  const taken = moves.filter(({ days }) => days < 0);
  return [...lines, ...taken].map((move) => postLine(account, move));
}

/**
 * Takes the days of a request. Each day is charged to the valid lot that expires first. Future days move to other lots
 * only if more days remain available. An early request therefore has no disadvantage.
 */
export function takeDays(account: LeaveAccount, today: string, days: readonly LeaveDay[]): LeaveLedgerLine[] {
  const simple = copyOf(account);
  for (const day of days.toSorted(byDay)) deductLeave(simple, day);
  const best = copyOf(account);
  for (const day of [...releaseFutureDays(best, today), ...days].toSorted(byDay)) deductLeave(best, day);
  return moveCharges(account, costOf(simple) === costOf(best) ? simple : best);
}

/** Returns the days of a request from a given day to the lots they were charged to. */
export const restoreAll = (account: LeaveAccount, application_id: string, from = ''): LeaveLedgerLine[] =>
  takingsOf(account)
    .filter((taking) => taking.application_id === application_id && taking.day >= from)
    .flatMap((taking) => restoreCharges(account, taking));
