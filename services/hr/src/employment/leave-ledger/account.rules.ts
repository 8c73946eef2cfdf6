/**
 * Leave account: an employee's lots of one leave type, and the days charged to them. A line that grants days is a lot,
 * which can be used on the days of its window. All other lines name the lot that they use, restore or expire. Amounts
 * are hundredths of a day, so that sums are exact.
 */

export type LeaveLedgerKind =
  | 'allocation'
  | 'accrual'
  | 'carry_forward'
  | 'taken'
  | 'restored'
  | 'expiry'
  | 'encash'
  | 'adjustment';

/** Leave ledger line. Lines never change: a further line corrects an error. */
export interface LeaveLedgerLine {
  /** ID of the line. The ID of an unsaved line begins with `new `. */
  id: string;
  kind: LeaveLedgerKind;
  days: number;
  /** First day of a lot's validity. For other lines, the first day on which they count. */
  valid_from: string | null;
  valid_to: string | null;
  /** Null for a lot itself, and for days that no lot covers yet. */
  lot_id: string | null;
  application_id: string | null;
  /** Day of leave that the line deducts or restores. */
  day: string | null;
  source_key: string | null;
  reason: string | null;
}

export interface LeaveLot {
  id: string;
  kind: LeaveLedgerKind;
  granted: number;
  left: number;
  valid_from: string;
  valid_to: string | null;
}

/** Day or half day of a leave request. */
export interface LeaveDay {
  application_id: string;
  day: string;
  days: number;
}

/** Taken day with the lots that it is charged to. `null` for a part that no lot covers. */
export interface LeaveTaking {
  application_id: string;
  day: string;
  charges: Map<string | null, number>;
}

export interface LeaveAccount {
  lines: LeaveLedgerLine[];
  lots: LeaveLot[];
  takings: Map<string, LeaveTaking>;
  /** Excess days without a day of leave: days granted to an employee who left early. */
  owed: number;
  /** Days of pending requests. */
  held: LeaveDay[];
  keys: Set<string>;
}

const GRANTS = new Set<LeaveLedgerKind>(['allocation', 'accrual', 'carry_forward', 'adjustment']);
const keyOf = ({ application_id, day }: Pick<LeaveDay, 'application_id' | 'day'>): string => `${day} ${application_id}`;

function addLine(account: LeaveAccount, line: LeaveLedgerLine): void {
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

/** Builds an account from its lines. @param lines lots before the lines that refer to them */
export function openAccount(lines: readonly LeaveLedgerLine[], held: readonly LeaveDay[] = []): LeaveAccount {
  const account: LeaveAccount = { lines: [], lots: [], takings: new Map(), owed: 0, held: [...held], keys: new Set() };
  for (const line of lines) if (!line.lot_id) addLine(account, line);
  for (const line of lines) if (line.lot_id) addLine(account, line);
  return account;
}

/** Returns a copy of an account for trial calculations. */
export const copyOf = (account: LeaveAccount): LeaveAccount => openAccount(account.lines, account.held);

/** Adds a line to the account. @returns the line with its temporary ID */
export function postLine(
  account: LeaveAccount,
  line: Partial<LeaveLedgerLine> & Pick<LeaveLedgerLine, 'kind' | 'days'>,
): LeaveLedgerLine {
  const whole: LeaveLedgerLine = {
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
  addLine(account, whole);
  return whole;
}

export const isValidOn = ({ valid_from, valid_to }: Pick<LeaveLot, 'valid_from' | 'valid_to'>, day: string): boolean =>
  valid_from <= day && (valid_to === null || day <= valid_to);

/** Compares lots in spending order: the earliest expiry first, lots without expiry last. */
export const byExpiry = (one: LeaveLot, other: LeaveLot): number =>
  (one.valid_to ?? '~').localeCompare(other.valid_to ?? '~') ||
  one.valid_from.localeCompare(other.valid_from) ||
  one.id.localeCompare(other.id, undefined, { numeric: true });

/** Returns the lots with remaining days that can be used on a day, in order of use. */
export const lotsOn = (account: LeaveAccount, day: string): LeaveLot[] =>
  account.lots.filter((lot) => lot.left > 0 && isValidOn(lot, day)).toSorted(byExpiry);

/** Splits an amount among the lots in order. The uncovered remainder has no lot. */
export function splitAmongLots(
  lots: readonly Pick<LeaveLot, 'id' | 'left'>[],
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

/** Charges a day to the lots that are valid on that day. */
export function deductLeave(account: LeaveAccount, { application_id, day, days }: LeaveDay): LeaveLedgerLine[] {
  return splitAmongLots(lotsOn(account, day), days).map((part) =>
    postLine(account, { kind: 'taken', days: -part.days, lot_id: part.lot_id, application_id, day }),
  );
}

/** Returns a day's charges to their lots. */
export function restoreCharges(
  account: LeaveAccount,
  { application_id, day, charges }: LeaveTaking,
): LeaveLedgerLine[] {
  return [...charges].map(([lot_id, days]) =>
    postLine(account, { kind: 'restored', days, lot_id, application_id, day }),
  );
}

export const byDay = (one: { day: string }, other: { day: string }): number => one.day.localeCompare(other.day);

/** Returns the taken days, in order. */
export const takingsOf = (account: LeaveAccount): LeaveTaking[] =>
  [...account.takings.values()].filter(({ charges }) => charges.size > 0).toSorted(byDay);

/** Returns the share of each lot that pending requests reserve, as if they were granted in order of their days. */
export function reservedByLot(account: LeaveAccount): Map<string, number> {
  const trial = copyOf(account);
  for (const day of account.held.toSorted(byDay)) deductLeave(trial, day);
  return new Map(account.lots.map(({ id, left }) => [id, left - trial.lots.find((lot) => lot.id === id)!.left]));
}

/** Returns the taken days that no lot covers. */
export const uncoveredDays = (account: LeaveAccount): number =>
  takingsOf(account).reduce((sum, { charges }) => sum + (charges.get(null) ?? 0), account.owed);
