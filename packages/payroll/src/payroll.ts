/**
 * The front door of payroll: what somebody is paid for a period, computed exactly from facts, with the working of each figure.
 * Amounts come and go as decimal strings; nothing in here waits, reads or stores.
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
export { countDays, type Day, type WorkingDaysBasis, workingDaysBases } from './facts/days.ts';
export { FormulaFailed } from './formula/evaluate.ts';
export { FormulaInvalid } from './formula/syntax.ts';
export {
  type Assigned,
  type Carried,
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
  type Terms,
} from './facts/input.ts';
export { type LeftOver, type PayLine, payslip, type Payslip } from './slip/payslip.ts';
export { slabFault } from './facts/slabs.ts';
export { namesIn, tryFormula } from './formula/trial.ts';
export { addsUp, type Explanation, type Step } from './formula/working.ts';
