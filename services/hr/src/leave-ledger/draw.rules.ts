/** Days that are drawn from an account without leave: taken back, or paid out. */
import { type Account, heldOf, type Kind, type Line, lotsOn, post, split } from './account.rules.ts';
import type { Holder } from './settlement.rules.ts';
import { type Shortage, walk } from './walk.rules.ts';

/** Days to draw, in hundredths of a day. */
export interface Draw {
  kind: Extract<Kind, 'adjustment' | 'encash'>;
  days: number;
  /** The day of which it is drawn: only lots that are valid on it are touched. */
  on: string;
  reason: string | null;
}

/** The lots of a day with what nobody holds of them. */
function freeOn(account: Account, day: string): { id: string; left: number }[] {
  const held = heldOf(account);
  return lotsOn(account, day).map(({ id, left }) => ({ id, left: Math.max(left - (held.get(id) ?? 0), 0) }));
}

/** Days that can be drawn on a day. */
export const drawable = (account: Account, day: string): number =>
  freeOn(account, day).reduce((sum, { left }) => sum + left, 0);

/**
 * Draws days from lots, those first that expire first, and never what is held or granted and spoken for already.
 * @returns the lines, or what is missing
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
