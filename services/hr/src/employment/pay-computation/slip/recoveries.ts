/** Recoveries and loans: open amounts are deducted from the remaining pay after everything else, the oldest first. */
import { type RemainingPay, type DeductionLine, deduct } from './deductions.ts';
import type { Ledger, Pay } from './pay.ts';
import { least, type Rational, rational, round, written } from '../arithmetic/rational.ts';
import { working } from '../formula/working.ts';

interface Due {
  readonly id: string;
  readonly code: 'recovery' | 'loan';
  readonly name: string;
  readonly inputs: Record<string, Rational>;
  readonly amount: Rational;
}

function duesOf({ input }: Pay): Due[] {
  const { recoveries, loans } = input.carried;
  const open = recoveries.map(({ id, left }): Due => {
    const amount = rational(left);
    return { id, code: 'recovery', name: 'Recovery', inputs: { left: amount }, amount };
  });
  // Only regular runs deduct loan instalments, not extra runs.
  const lent = input.facts.period.regular ? loans : [];
  const instalments = lent.map(({ id, left, instalment }): Due => {
    const inputs = { instalment: rational(instalment), left: rational(left) };
    return { id, code: 'loan', name: 'Loan instalment', inputs, amount: least(inputs.instalment, inputs.left) };
  });
  return [...open, ...instalments];
}

/**
 * Deducts recoveries, then instalments, from the permitted share of the remaining pay. Amounts not covered stay
 * outstanding.
 */
export function recover(pay: Pay, ledger: Ledger, purse: RemainingPay): DeductionLine[] {
  const { recovery_max_percent } = pay.input.facts.settings;
  const most = round(purse.left.mul(rational(recovery_max_percent)).div(100), pay.places);
  const share: RemainingPay = { left: most };
  const taken = duesOf(pay).map(({ id, code, name, inputs, amount }) => {
    const figure = working(code, inputs);
    figure.step(inputs.instalment ? `min(${written(inputs.instalment)}, ${written(inputs.left!)})` : written(amount));
    return deduct(pay, ledger, { line: { code, name, taxable: false, of: id }, figure, purse: share });
  });
  purse.left = purse.left.sub(most.sub(share.left));
  return taken;
}
