/**
 * Base value of foreign money in bank accounts. Money that leaves an account takes its share of the account's carried
 * value (the average of the receipts). An empty account therefore has no value. The difference to the exchange rate of
 * the document is an exchange gain or loss. For an overdrawn account, the same applies with the opposite sign.
 */
import { compare, isZero, portion, subtract, sum } from '@suite/money';
import { type BaseLine, exchangeDifference } from './journal.rules.ts';

/** Balance of a bank account in its own currency and in base currency. Negative if overdrawn. */
export interface CarriedValue {
  amount: string;
  base: string;
}

const negate = (amount: string): string => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`);
const absolute = (amount: string): string => amount.replace('-', '');

/** Returns the base value of a line that moves the balance of an account towards zero, and possibly beyond. */
function valueOf(line: BaseLine, carriedValue: CarriedValue): string {
  const { amount, base, base_currency } = line;
  const whole = absolute(carriedValue.amount);
  const carried = carriedValue.amount.startsWith('-') ? negate(carriedValue.base) : carriedValue.base;
  if (compare(amount, whole) < 0) return portion(carried, { whole, before: '0', now: amount }, base_currency);
  // The part beyond zero uses the rate of its document.
  const within = portion(base, { whole: amount, before: '0', now: whole }, base_currency);
  return sum([carried, subtract(base, within, base_currency)], base_currency);
}

/**
 * Values the lines of foreign bank accounts, one after the other.
 * @param accounts the carried values by ledger account ID; updated by each line
 * @param idOf returns the ID of a line's account, if it is one of the accounts
 */
export function valueAtCarriedRate(
  lines: readonly BaseLine[],
  accounts: Map<string, CarriedValue>,
  idOf: (line: BaseLine) => string | undefined,
): BaseLine[] {
  let gain = '0';
  const valued = lines.map((line) => {
    const id = idOf(line);
    const carriedValue = id === undefined ? undefined : accounts.get(id);
    if (!id || !carriedValue || isZero(line.amount)) return line;
    const { currency, base_currency, side } = line;
    const isOut = side === 'credit';
    const settles = !isZero(carriedValue.amount) && carriedValue.amount.startsWith('-') !== isOut;
    const value = settles ? valueOf(line, carriedValue) : line.base;
    // Chosen: a value that does not fit its amount (from entries before this rule) remains for a revaluation to
    // correct.
    const base = compare(value, '0') > 0 ? value : line.base;
    const signed = (amount: string) => (isOut ? negate(amount) : amount);
    accounts.set(id, {
      amount: sum([carriedValue.amount, signed(line.amount)], currency),
      base: sum([carriedValue.base, signed(base)], base_currency),
    });
    gain = sum([gain, signed(subtract(base, line.base, base_currency))], base_currency);
    return compare(base, line.base) === 0 ? line : { ...line, base, rate: undefined };
  });
  return isZero(gain) ? [...valued] : addGainLine(valued, gain, valued.find((line) => idOf(line) !== undefined)!);
}

/** Adds one line with the total exchange gain or loss. */
function addGainLine(lines: readonly BaseLine[], gain: string, { currency, base_currency }: BaseLine): BaseLine[] {
  const isDifference = ({ account, amount }: BaseLine) =>
    (account === 'fx_gain' || account === 'fx_loss') && isZero(amount);
  const before = lines.filter(isDifference).map(({ account, base }) => (account === 'fx_gain' ? base : negate(base)));
  const total = sum([...before, gain], base_currency);
  const others = lines.filter((line) => !isDifference(line));
  return isZero(total) ? others : [...others, exchangeDifference(total, { currency, base_currency })];
}
