/** Withdrawals from a leave account without leave: withdrawn or paid out. */
import { type Account, heldOf, type Kind, type Line, lotsOn, post, split } from './account.rules.ts';
import type { Holder } from './settlement.rules.ts';
import { type Shortage, walk } from './walk.rules.ts';

/** Days to deduct, in hundredths of a day. */
export interface Draw {
  kind: Extract<Kind, 'adjustment' | 'encash'>;
  days: number;
  /** Day of the withdrawal. Only lots that are valid on that day are used. */
  on: string;
  reason: string | null;
}

/** Returns the lots of a day with the days that no request holds. */
function freeOn(account: Account, day: string): { id: string; left: number }[] {
  const held = heldOf(account);
  return lotsOn(account, day).map(({ id, left }) => ({ id, left: Math.max(left - (held.get(id) ?? 0), 0) }));
}

/** Returns the days that can be deducted on a day. */
export const drawable = (account: Account, day: string): number =>
  freeOn(account, day).reduce((sum, { left }) => sum + left, 0);

/**
 * Deducts days from lots, earliest expiry first. Days reserved by pending requests or charged to approved leave are
 * excluded.
 * @returns the lines, or the missing amount
 */
export function draw(
  account: Account,
  { holder, today }: { holder: Holder; today: string },
  { kind, days, on, reason }: Draw,
): Line[] | Shortage {
  const free = drawable(account, on);
  if (days > free) return { short: days - free, first_short_on: on };
  const before = walk(account, holder, today, [])?.short ?? 0;
  const lines = split(freeOn(account, on), days).map((part) =>
    post(account, { kind, days: -part.days, lot_id: part.lot_id, valid_from: on, reason }),
  );
  const after = walk(account, holder, today, []);
  return after && after.short > before ? after : lines;
}
