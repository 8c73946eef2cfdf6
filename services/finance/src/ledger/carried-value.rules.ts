/**
 * The base value of foreign money in bank accounts. Money that leaves an account takes its share of the value that the account
 * carries (the average of what came in), so that an empty account has no value. The difference to the rate of the document is an
 * exchange gain or loss. An overdrawn account is the same with the signs changed.
 */
import { compare, isZero, portion, subtract, sum } from '@suite/money';
import { type BaseLine, exchangeDifference } from './journal.rules.ts';

/** The balance of a bank account in its own currency and in base currency; overdrawn accounts are negative. */
export interface Carried {
  amount: string;
  base: string;
}

const negate = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`);
const absolute = (amount: string): string => amount.replace('-', '');

/** The base value of a line that moves the balance of an account towards zero, and perhaps past it. */
function valueOf(line: BaseLine, held: Carried): string {
  const { amount, base, base_currency } = line;
  const whole = absolute(held.amount);
  const carried = held.amount.startsWith('-') ? negate(held.base) : held.base;
  if (compare(amount, whole) < 0) return portion(carried, { whole, before: '0', now: amount }, base_currency);
  // Money past zero has the rate of its document.
  const within = portion(base, { whole: amount, before: '0', now: whole }, base_currency);
  return sum([carried, subtract(base, within, base_currency)], base_currency);
}

/**
 * Values the lines of bank accounts in foreign currencies, one after the other.
 * @param accounts the carried values by the id of the account in the ledger; they are moved along
 * @param idOf the account of a line, if it is one of them
 */
export function atCarriedValue(
  lines: readonly BaseLine[],
  accounts: Map<string, Carried>,
  idOf: (line: BaseLine) => string | undefined,
): BaseLine[] {
  let gain = '0';
  const valued = lines.map((line) => {
    const id = idOf(line);
    const held = id === undefined ? undefined : accounts.get(id);
    if (!id || !held || isZero(line.amount)) return line;
    const { currency, base_currency, side } = line;
    const isOut = side === 'credit';
    const settles = !isZero(held.amount) && held.amount.startsWith('-') !== isOut;
    const value = settles ? valueOf(line, held) : line.base;
    // Chosen: a value that does not fit its amount (left by entries from before this rule) stays for a revaluation to correct.
    const base = compare(value, '0') > 0 ? value : line.base;
    const signed = (amount: string) => (isOut ? negate(amount) : amount);
    accounts.set(id, {
      amount: sum([held.amount, signed(line.amount)], currency),
      base: sum([held.base, signed(base)], base_currency),
    });
    gain = sum([gain, signed(subtract(base, line.base, base_currency))], base_currency);
    return compare(base, line.base) === 0 ? line : { ...line, base, rate: undefined };
  });
  return isZero(gain) ? [...valued] : withGain(valued, gain, valued.find((line) => idOf(line) !== undefined)!);
}

/** The lines with an exchange gain or loss: one line for all of it. */
function withGain(lines: readonly BaseLine[], gain: string, { currency, base_currency }: BaseLine): BaseLine[] {
  const isDifference = ({ account, amount }: BaseLine) =>
    (account === 'fx_gain' || account === 'fx_loss') && isZero(amount);
  const before = lines.filter(isDifference).map(({ account, base }) => (account === 'fx_gain' ? base : negate(base)));
  const total = sum([...before, gain], base_currency);
  const others = lines.filter((line) => !isDifference(line));
  return isZero(total) ? others : [...others, exchangeDifference(total, { currency, base_currency })];
}
