/**
 * The front door of payroll: what somebody is paid for a period, computed exactly from facts, with the working of each figure.
 * Amounts come and go as decimal strings; nothing in here waits, reads or stores.
 */
export { arrearsOf, type PastSlip } from './arrears.ts';
export { type Component, type ComponentFault, faultsIn, phaseOf, reservedCodes, type Slab } from './component.ts';
export { countDays, type Day, type WorkingDaysBasis, workingDaysBases } from './days.ts';
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
  type Terms,
} from './input.ts';
export { type LeftOver, type PayLine, payslip, type Payslip } from './payslip.ts';
export { slabFault } from './slabs.ts';
export { addsUp, type Explanation, type Step } from './working.ts';
