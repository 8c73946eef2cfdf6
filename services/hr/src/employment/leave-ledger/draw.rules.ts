/** Withdrawals from a leave account without leave: withdrawn or paid out. */
import {
  type LeaveAccount,
  reservedByLot,
  type LeaveLedgerKind,
  type LeaveLedgerLine,
  lotsOn,
  postLine,
  splitAmongLots,
} from './account.rules.ts';
import type { LeaveHolder } from './settlement.rules.ts';
import { type Shortage, replayLedger } from './replay.rules.ts';

/** Days to deduct, in hundredths of a day. */
export interface Draw {
  kind: Extract<LeaveLedgerKind, 'adjustment' | 'encash'>;
  days: number;
  /** Day of the withdrawal. Only lots that are valid on that day are used. */
  on: string;
  reason: string | null;
}

/** Returns the lots of a day with the days that no request holds. */
function freeLotsOn(account: LeaveAccount, day: string): { id: string; left: number }[] {
  const reserved = reservedByLot(account);
  return lotsOn(account, day).map(({ id, left }) => ({ id, left: Math.max(left - (reserved.get(id) ?? 0), 0) }));
}

/** Returns the days that can be deducted on a day. */
export const drawable = (account: LeaveAccount, day: string): number =>
  freeLotsOn(account, day).reduce((sum, { left }) => sum + left, 0);

/**
 * Deducts days from lots, earliest expiry first. Days reserved by pending requests or charged to approved leave are
 * excluded.
 * @returns the lines, or the missing amount
 */
export function draw(
  account: LeaveAccount,
  { holder, today }: { holder: LeaveHolder; today: string },
  { kind, days, on, reason }: Draw,
): LeaveLedgerLine[] | Shortage {
  const free = drawable(account, on);
  if (days > free) return { short: days - free, first_short_on: on };
  const before = replayLedger(account, holder, today, [])?.short ?? 0;
  const lines = splitAmongLots(freeLotsOn(account, on), days).map((part) =>
    postLine(account, { kind, days: -part.days, lot_id: part.lot_id, valid_from: on, reason }),
  );
  const after = replayLedger(account, holder, today, []);
  return after && after.short > before ? after : lines;
}
