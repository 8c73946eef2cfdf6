/** Recoveries and loans: open amounts are deducted from the remaining pay after everything else, the oldest first. */
import { type RemainingPay, type DeductionLine, deduct } from './deductions.ts';
import type { CalculatedValues, PayBasis } from './pay.ts';
import { least, type Rational, rational, round, formatNumber } from '../arithmetic/rational.ts';
import { startCalculation } from '../formula/calculation.ts';

interface DueRecovery {
  readonly id: string;
  readonly code: 'recovery' | 'loan';
  readonly name: string;
  readonly inputs: Record<string, Rational>;
  readonly amount: Rational;
}

function dueRecoveriesOf({ input }: PayBasis): DueRecovery[] {
  const { recoveries, loans } = input.carried;
  const open = recoveries.map(({ id, left }): DueRecovery => {
    const amount = rational(left);
    return { id, code: 'recovery', name: 'Recovery', inputs: { left: amount }, amount };
  });
  // Only regular runs deduct loan instalments, not off-cycle runs.
  const lent = input.facts.period.regular ? loans : [];
  const instalments = lent.map(({ id, left, instalment }): DueRecovery => {
    const inputs = { instalment: rational(instalment), left: rational(left) };
    return { id, code: 'loan', name: 'Loan instalment', inputs, amount: least(inputs.instalment, inputs.left) };
  });
  return [...open, ...instalments];
}

/**
 * Deducts recoveries, then instalments, from the permitted share of the remaining pay. Amounts not covered stay
 * outstanding.
 */
export function deductRecoveries(pay: PayBasis, ledger: CalculatedValues, remainingPay: RemainingPay): DeductionLine[] {
  const { recovery_max_percent } = pay.input.facts.settings;
  const most = round(remainingPay.left.mul(rational(recovery_max_percent)).div(100), pay.places);
  const share: RemainingPay = { left: most };
  const deducted = dueRecoveriesOf(pay).map(({ id, code, name, inputs, amount }) => {
    const figure = startCalculation(code, inputs);
    figure.step(
      inputs.instalment
        ? `min(${formatNumber(inputs.instalment)}, ${formatNumber(inputs.left!)})`
        : formatNumber(amount),
    );
    return deduct(pay, ledger, { line: { code, name, taxable: false, of: id }, figure, remainingPay: share });
  });
  remainingPay.left = remainingPay.left.sub(most.sub(share.left));
  return deducted;
}
