/**
 * An employee's account of one type of leave: its lots, and the days that are charged to them.
 * A line that grants days is a lot, which can be spent on the days of its window; all other lines name the lot that they
 * spend, restore or end. Amounts are whole hundredths of a day, so that sums are exact.
 */

export type Kind =
  | 'allocation'
  | 'accrual'
  | 'carry_forward'
  | 'taken'
  | 'restored'
  | 'expiry'
  | 'encash'
  | 'adjustment';

/** A line of the ledger. It is written once: what was wrong is put right by a further line. */
export interface Line {
  /** A line that is not written yet has a name that begins with `new `. */
  id: string;
  kind: Kind;
  days: number;
  /** The window of a lot. Of other lines, the day from which they count. */
  valid_from: string | null;
  valid_to: string | null;
  /** None for a lot itself, and for days that no lot covers yet. */
  lot_id: string | null;
  application_id: string | null;
  /** The day that is taken or restored. */
  day: string | null;
  source_key: string | null;
  reason: string | null;
}

export interface Lot {
  id: string;
  kind: Kind;
  granted: number;
  left: number;
  valid_from: string;
  valid_to: string | null;
}

/** A day, or a half, of an application. */
export interface LeaveDay {
  application_id: string;
  day: string;
  days: number;
}

/** A day that was taken, with the lots that it is charged to; `null` is for what no lot covers. */
export interface Taking {
  application_id: string;
  day: string;
  charges: Map<string | null, number>;
}

export interface Account {
  lines: Line[];
  lots: Lot[];
  takings: Map<string, Taking>;
  /** Owed without a day of leave: what was granted too much to somebody who left. */
  owed: number;
  /** Days of requests that nobody has decided yet. */
  held: LeaveDay[];
  keys: Set<string>;
}

const GRANTS = new Set<Kind>(['allocation', 'accrual', 'carry_forward', 'adjustment']);
const keyOf = ({ application_id, day }: Pick<LeaveDay, 'application_id' | 'day'>): string => `${day} ${application_id}`;

function note(account: Account, line: Line): void {
  account.lines.push(line);
  if (line.source_key) account.keys.add(line.source_key);
  if (GRANTS.has(line.kind) && line.days > 0 && !line.lot_id) {
    const { id, kind, days, valid_to } = line;
    account.lots.push({ id, kind, granted: days, left: days, valid_from: line.valid_from!, valid_to });
    return;
  }
  const lot = account.lots.find(({ id }) => id === line.lot_id);
  if (lot) lot.left += line.days;
  if (line.application_id === null || line.day === null) {
    if (!lot) account.owed -= line.days;
    return;
  }
  const of = { application_id: line.application_id, day: line.day };
  const taking = account.takings.get(keyOf(of)) ?? { ...of, charges: new Map() };
  taking.charges.set(line.lot_id, (taking.charges.get(line.lot_id) ?? 0) - line.days);
  if (taking.charges.get(line.lot_id) === 0) taking.charges.delete(line.lot_id);
  account.takings.set(keyOf(of), taking);
}

/** An account as its lines have made it. @param lines the lots before the lines that name them */
export function openAccount(lines: readonly Line[], held: readonly LeaveDay[] = []): Account {
  const account: Account = { lines: [], lots: [], takings: new Map(), owed: 0, held: [...held], keys: new Set() };
  for (const line of lines) if (!line.lot_id) note(account, line);
  for (const line of lines) if (line.lot_id) note(account, line);
  return account;
}

/** A copy to try things out on. */
export const copyOf = (account: Account): Account => openAccount(account.lines, account.held);

/** Writes a further line. @returns it, with the name that it has until it is stored */
export function post(account: Account, line: Partial<Line> & Pick<Line, 'kind' | 'days'>): Line {
  const whole: Line = {
    id: `new ${account.lines.length}`,
    valid_from: null,
    valid_to: null,
    lot_id: null,
    application_id: null,
    day: null,
    source_key: null,
    reason: null,
    ...line,
  };
  note(account, whole);
  return whole;
}

export const isValidOn = ({ valid_from, valid_to }: Pick<Lot, 'valid_from' | 'valid_to'>, day: string): boolean =>
  valid_from <= day && (valid_to === null || day <= valid_to);

/** The order in which lots are spent: the one that expires first, at last those that do not. */
export const inOrder = (one: Lot, other: Lot): number =>
  (one.valid_to ?? '~').localeCompare(other.valid_to ?? '~') ||
  one.valid_from.localeCompare(other.valid_from) ||
  one.id.localeCompare(other.id, undefined, { numeric: true });

/** The lots that can be spent on a day and have something left, in their order. */
export const lotsOn = (account: Account, day: string): Lot[] =>
  account.lots.filter((lot) => lot.left > 0 && isValidOn(lot, day)).toSorted(inOrder);

/** The parts of an amount that the lots take, one after the other; what they do not cover is charged to none. */
export function split(
  lots: readonly Pick<Lot, 'id' | 'left'>[],
  amount: number,
): { lot_id: string | null; days: number }[] {
  let rest = amount;
  const parts: { lot_id: string | null; days: number }[] = [];
  for (const { id, left } of lots) {
    const days = Math.min(left, rest);
    if (days > 0) parts.push({ lot_id: id, days });
    rest -= days;
  }
  return rest > 0 ? [...parts, { lot_id: null, days: rest }] : parts;
}

/** Charges a day to the lots that are valid on it. */
export function take(account: Account, { application_id, day, days }: LeaveDay): Line[] {
  return split(lotsOn(account, day), days).map((part) =>
    post(account, { kind: 'taken', days: -part.days, lot_id: part.lot_id, application_id, day }),
  );
}

/** Gives back what a day was charged with. */
export function restore(account: Account, { application_id, day, charges }: Taking): Line[] {
  return [...charges].map(([lot_id, days]) => post(account, { kind: 'restored', days, lot_id, application_id, day }));
}

export const byDay = (one: { day: string }, other: { day: string }): number => one.day.localeCompare(other.day);

/** The days that are taken, in their order. */
export const takingsOf = (account: Account): Taking[] =>
  [...account.takings.values()].filter(({ charges }) => charges.size > 0).toSorted(byDay);

/** The share of each lot that pending requests hold, as if they were granted in the order of their days. */
export function heldOf(account: Account): Map<string, number> {
  const trial = copyOf(account);
  for (const day of account.held.toSorted(byDay)) take(trial, day);
  return new Map(account.lots.map(({ id, left }) => [id, left - trial.lots.find((lot) => lot.id === id)!.left]));
}

/** Days taken that no lot covers. */
export const uncovered = (account: Account): number =>
  takingsOf(account).reduce((sum, { charges }) => sum + (charges.get(null) ?? 0), account.owed);
