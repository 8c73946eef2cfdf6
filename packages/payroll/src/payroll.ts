/**
 * Public API of payroll: the pay of an employee for a period, calculated exactly from facts, with an explanation of
 * each value. Amounts are decimal strings. This package does not wait, read or store anything.
 */
export { arrearsOf, type PastSlip } from './slip/arrears.ts';
export {
  type Component,
  type ComponentFault,
  faultsIn,
  figures,
  phaseOf,
  reservedCodes,
  type Slab,
} from './facts/component.ts';
export { countDays, type PayDay, type WorkingDaysBasis, workingDaysBases } from './facts/days.ts';
export { FormulaFailed } from './formula/evaluate.ts';
export { FormulaInvalid } from './formula/syntax.ts';
export {
  type Assigned,
  type CarriedPay,
  type Facts,
  factsFingerprint,
  fingerprint,
  frequencies,
  type Frequency,
  type OneOff,
  type OpenLoan,
  type OpenRecovery,
  type PayInput,
  type SettledLeave,
  type PayTerms,
} from './facts/input.ts';
export { type LeftOver, type PayLine, payslip, type Payslip } from './slip/payslip.ts';
export { slabFault } from './facts/slabs.ts';
export { namesIn, tryFormula } from './formula/trial.ts';
export { addsUp, type Explanation, type FormulaStep } from './formula/working.ts';
