/**
 * Settlement: changes of an account over time. Lots expire, unused days are carried into the next year, and days are
 * granted.
 */
import {
  type LeaveAccount,
  reservedByLot,
  byExpiry,
  type LeaveLedgerLine,
  type LeaveLot,
  postLine,
  splitAmongLots,
  takingsOf,
  uncoveredDays,
} from './account.rules.ts';
import { firstOf, lastDayOfYear, nextMonth, plusDays, yearOf } from './calendar.rules.ts';
import {
  carryEnd,
  carryEnds,
  type DueGrant,
  dueOn,
  type GrantPolicy,
  shareOfYear,
  type GrantPeriod,
} from './grant.rules.ts';

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Returns the lots that have ended by a day, with the days that no request holds. */
function endedLots(account: LeaveAccount, day: string): { lot: LeaveLot; free: number }[] {
  const ended = account.lots.filter(({ left, valid_to }) => left > 0 && valid_to !== null && valid_to < day);
  if (ended.length === 0) return [];
  const reserved = account.held.length > 0 ? reservedByLot(account) : new Map<string, number>();
  return ended
    .toSorted(byExpiry)
    .map((lot) => ({ lot, free: lot.left - (reserved.get(lot.id) ?? 0) }))
    .filter(({ free }) => free > 0);
}

/** Returns the days already carried into a year. */
const daysCarriedInto = (account: LeaveAccount, year: number): number =>
  sum(
    account.lots
      .filter(({ kind, valid_from }) => kind === 'carry_forward' && valid_from === firstOf(year))
      .map(({ granted }) => granted),
  );

/** Checks if the remainder of a lot can be carried into the next year. */
const isOfYear = ({ kind, valid_to }: LeaveLot, policy: GrantPolicy): boolean =>
  valid_to!.endsWith('-12-31') && !(kind === 'carry_forward' && carryEnds(policy));

/** Carries the remainder of a year into the next one, up to the limit. The rest of the lots expires. */
function carryForward(
  account: LeaveAccount,
  policy: GrantPolicy,
  year: number,
  rest: readonly { lot: LeaveLot; free: number }[],
): LeaveLedgerLine[] {
  const room = Math.max(policy.carry_forward_max - daysCarriedInto(account, year), 0);
  const carried = Math.min(room, sum(rest.map(({ free }) => free)));
  if (carried === 0) return [];
  const lines: LeaveLedgerLine[] = [];
  let remaining = carried;
  for (const { lot, free } of rest) {
    const days = Math.min(remaining, free);
    if (days > 0)
      lines.push(postLine(account, { kind: 'carry_forward', days: -days, lot_id: lot.id, valid_from: firstOf(year) }));
    remaining -= days;
  }
  const valid_to = carryEnd(policy, year);
  return [...lines, postLine(account, { kind: 'carry_forward', days: carried, valid_from: firstOf(year), valid_to })];
}

/** Ends the lots whose validity has passed, except held days. */
function close(account: LeaveAccount, policy: GrantPolicy, day: string): LeaveLedgerLine[] {
  const lines: LeaveLedgerLine[] = [];
  const turning = endedLots(account, day).filter(({ lot }) => isOfYear(lot, policy));
  for (const [year, rest] of Map.groupBy(turning, ({ lot }) => yearOf(lot.valid_to!) + 1))
    lines.push(...carryForward(account, policy, year, rest));
  for (const { lot, free } of endedLots(account, day)) {
    const valid_from = plusDays(lot.valid_to!, 1);
    lines.push(postLine(account, { kind: 'expiry', days: -free, lot_id: lot.id, valid_from }));
  }
  return lines;
}

/** Returns the days of a year granted by its rule to date. */
const grantedIn = (account: LeaveAccount, year: number, from = firstOf(year)): number =>
  sum(
    account.lots
      .filter(({ kind }) => kind === 'allocation' || kind === 'accrual')
      .filter(({ valid_from }) => valid_from >= from && yearOf(valid_from) === year)
      .map(({ granted }) => granted),
  );

/**
 * Returns the key of a grant's part of the year. Partial years have other keys than whole years, because an employee
 * may stay after all.
 */
function partOf({ part }: DueGrant, { since, to }: GrantPeriod, year: number): string {
  if (part !== 0) return String(part);
  const begins = since && yearOf(since) === year ? ` since ${since}` : '';
  const ends = to && yearOf(to) === year ? ` until ${to}` : '';
  return `0${begins}${ends}`;
}

/** Grants the days due on a day. The line's key prevents a second grant. */
function grant(
  account: LeaveAccount,
  policy: GrantPolicy,
  term: GrantPeriod,
  { day, key }: { day: string; key: string },
): LeaveLedgerLine[] {
  const due = dueOn(policy, term, day);
  const year = yearOf(day);
  if (!due) return [];
  const source_key = `${key} ${year} ${partOf(due, term, year)}`;
  if (account.keys.has(source_key)) return [];
  const days = due.target - grantedIn(account, year, term.since);
  if (days <= 0) return [];
  const kind = policy.accrual === 'upfront' ? 'allocation' : 'accrual';
  return [postLine(account, { kind, days, valid_from: day, valid_to: lastDayOfYear(year), source_key })];
}

/** Covers days that had no lot when they were taken, oldest first, with two lines each. */
function coverShortage(account: LeaveAccount, today: string): LeaveLedgerLine[] {
  const lines: LeaveLedgerLine[] = [];
  for (const { application_id, day, charges } of takingsOf(account)) {
    const uncoveredDays = () => charges.get(null) ?? 0;
    if (uncoveredDays() === 0) continue;
    const canCover = ({ left, valid_from, valid_to }: LeaveLot) =>
      left > 0 && (valid_to === null || day <= valid_to) && (valid_from <= day || (day < today && valid_from <= today));
    for (const lot of account.lots.filter(canCover).toSorted(byExpiry)) {
      const days = Math.min(uncoveredDays(), lot.left);
      if (days === 0) break;
      lines.push(postLine(account, { kind: 'restored', days, application_id, day }));
      lines.push(postLine(account, { kind: 'taken', days: -days, lot_id: lot.id, application_id, day }));
    }
  }
  return lines;
}

/** Account holder. `key` is the prefix of the keys of their grants. */
export interface LeaveHolder {
  key: string;
  policy: GrantPolicy;
  term: GrantPeriod;
}

/** Returns the next day after a given day on which time can change an account. */
export function nextSettlementDay(account: Pick<LeaveAccount, 'lots'>, day: string): string {
  const ends = account.lots.flatMap(({ left, valid_to }) =>
    left > 0 && valid_to !== null && valid_to >= day ? [plusDays(valid_to, 1)] : [],
  );
  return [nextMonth(day), ...ends].toSorted()[0]!;
}

/** Settles one day, in order. @param grants true to grant days as well */
export function settleOn(
  account: LeaveAccount,
  { key, policy, term }: LeaveHolder,
  day: string,
  grants = true,
): LeaveLedgerLine[] {
  return [
    ...close(account, policy, day),
    ...(grants ? grant(account, policy, term, { day, key }) : []),
    ...coverShortage(account, day),
  ];
}

/**
 * Settles an account up to a day. All missed steps run in the order in which they fell due. Repeated calls have no
 * effect.
 * @param since first day to settle. Earlier changes are already in the account
 * @param grants true to include grants that fall due after `since`
 */
export function settleAccount(
  account: LeaveAccount,
  holder: LeaveHolder,
  { until, since = holder.term.from, grants = true }: { until: string; since?: string; grants?: boolean },
): LeaveLedgerLine[] {
  const lines: LeaveLedgerLine[] = [];
  for (let day = since; day <= until; day = nextSettlementDay(account, day))
    lines.push(...settleOn(account, holder, day, grants));
  return lines;
}

/** Returns the lots with remaining days, in order of use. */
const remainingLots = (account: LeaveAccount): LeaveLot[] =>
  account.lots.filter(({ left }) => left > 0).toSorted(byExpiry);

/**
 * Account at the end of an employment. @property paid true if the leave is paid: only then is a negative balance
 * deducted from pay
 */
interface EmploymentEnd {
  last_day: string;
  encashable: boolean;
  paid: boolean;
}

/**
 * Settles the remainder of an ended account. Remaining days are paid out or expire. Excess days are deducted from pay.
 * Later changes, such as leave not taken after all, are settled again. Repeated calls without changes have no effect.
 */
export function settleRest(account: LeaveAccount, { last_day, encashable, paid }: EmploymentEnd): LeaveLedgerLine[] {
  const rest = remainingLots(account).map(({ id, left }) =>
    encashable
      ? postLine(account, { kind: 'encash', days: -left, lot_id: id, valid_from: last_day })
      : postLine(account, { kind: 'expiry', days: -left, lot_id: id, valid_from: plusDays(last_day, 1) }),
  );
  const uncovered = paid ? uncoveredDays(account) : 0;
  return uncovered === 0
    ? rest
    : [...rest, postLine(account, { kind: 'encash', days: uncovered, valid_from: last_day })];
}

/**
 * Settles the account of an employee whose last day is over. Withdraws upfront grants for the time after the exit, from
 * the remaining days or as excess days. Then settles the remainder.
 * @param account settled up to the last day, without days of leave after it
 */
export function settleLeaving(
  account: LeaveAccount,
  { key, policy, term }: LeaveHolder,
  ending: EmploymentEnd,
): LeaveLedgerLine[] {
  const { last_day } = ending;
  const year = yearOf(last_day);
  const share =
    policy.accrual === 'upfront' ? shareOfYear(policy, { ...term, to: last_day }, year) : Number.POSITIVE_INFINITY;
  const surplus = Math.max(grantedIn(account, year, term.since) - share, 0);
  const lines = splitAmongLots(remainingLots(account), surplus).map(({ lot_id, days }, at) =>
    postLine(account, {
      kind: 'adjustment',
      days: -days,
      lot_id,
      valid_from: last_day,
      source_key: `${key} left ${at}`,
    }),
  );
  return [...lines, ...settleRest(account, ending)];
}
