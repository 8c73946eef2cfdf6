/**
 * Input for the calculation of a payslip. All values are texts, integers or booleans, so that the input has one
 * canonical form.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { PayComponent } from './component.ts';
import { sortByPhase } from './component.ts';
import type { PayDay, WorkingDaysBasis } from './days.ts';

export const frequencies = ['monthly', 'fortnightly', 'weekly'] as const;
export type Frequency = (typeof frequencies)[number];

/** Component of an employee's salary. @property value replaces the component's own amount or percentage */
export interface SalaryAssignment {
  readonly code: string;
  readonly value?: string | null;
}

/** Salary of an employee from a day on. Amounts are per month or per hour. */
export interface PayTerms {
  /** YYYY-MM-DD. */
  readonly from: string;
  readonly basis: 'monthly' | 'hourly';
  readonly amount: string;
  readonly weekly_hours: string;
  readonly components: readonly SalaryAssignment[];
}

/** A one-off payment. Arrears contain the correct amount, the paid amount and the amount settled since. */
export interface OneOff {
  readonly id: string;
  readonly code: string;
  readonly amount: string;
  readonly arrears?: {
    readonly of_payroll_entry_id: string;
    readonly now: string;
    readonly before: string;
    readonly settled: string;
  } | null;
}

/** A remaining amount to be recovered now. @property since YYYY-MM-DD: the oldest is recovered first */
export interface OpenRecovery {
  readonly id: string;
  readonly since: string;
  readonly left: string;
}

/** A loan to an employee, repaid in instalments. */
export interface OpenLoan extends OpenRecovery {
  readonly instalment: string;
}

/** Leave days settled in money, once per leave ledger entry. */
export interface SettledLeave {
  readonly id: string;
  /** YYYY-MM-DD: the date of the leave days. */
  readonly on: string;
  /** Leave days to pay out. Negative for excess days that an employee who left has to repay. */
  readonly days: string;
  /** Salary as of that day. */
  readonly salary: Pick<PayTerms, 'basis' | 'amount' | 'weekly_hours'>;
}

/** Facts of the period alone. A later change to these facts leads to arrears. */
export interface PeriodFacts {
  readonly person: { readonly id: string; readonly dob: string | null; readonly joining_date: string };
  readonly period: {
    readonly start: string;
    readonly end: string;
    readonly frequency: Frequency;
    /** True if salaries are paid. An off-cycle run pays one-offs only. */
    readonly regular: boolean;
  };
  readonly currency: string;
  readonly settings: {
    readonly working_days_basis: WorkingDaysBasis;
    readonly overtime_factor: string;
    readonly recovery_max_percent: number;
  };
  /** All calendar days of the period. */
  readonly days: readonly PayDay[];
  readonly terms: readonly PayTerms[];
  readonly components: readonly PayComponent[];
}

/** The remaining input, from other periods and from the run. */
export interface CarriedPay {
  readonly one_offs: readonly OneOff[];
  readonly leave: readonly SettledLeave[];
  readonly tax_year: {
    /** Remaining periods, including this one. */
    readonly periods_left: number;
    /** Taxable amount of this year before this period. */
    readonly taxable: string;
    /** Tax paid, by tax code. */
    readonly paid: Readonly<Record<string, string>>;
  };
  readonly recoveries: readonly OpenRecovery[];
  readonly loans: readonly OpenLoan[];
}

/** Part of an input that is paid once. It does not affect later periods. */
export type OneTimeInput = Pick<CarriedPay, 'one_offs' | 'leave'>;

export interface PayInput {
  readonly facts: PeriodFacts;
  readonly carried: CarriedPay;
}

const compareBy =
  <T>(key: (value: T) => string) =>
  (one: T, other: T): number => {
    const [left, right] = [key(one), key(other)];
    return left < right ? -1 : Number(left > right);
  };
const oldestFirst = compareBy<OpenRecovery>(({ since, id }) => `${since} ${id}`);

/** Returns the same facts in canonical order. */
const factsInOrder = (facts: PeriodFacts): PeriodFacts => ({
  ...facts,
  days: facts.days.toSorted(compareBy(({ date }) => date)),
  terms: facts.terms
    .map((terms) => ({ ...terms, components: terms.components.toSorted(compareBy(({ code }) => code)) }))
    .toSorted(compareBy(({ from }) => from)),
  components: sortByPhase(facts.components.map((each) => ({ ...each, base: each.base.toSorted() }))),
});

/** Returns the same input in canonical order, so that the order of the facts has no effect. */
export const inputInOrder = ({ facts, carried }: PayInput): PayInput => ({
  facts: factsInOrder(facts),
  carried: {
    ...carried,
    one_offs: carried.one_offs.toSorted(compareBy(({ code, id }) => `${code} ${id}`)),
    leave: carried.leave.toSorted(compareBy(({ on, id }) => `${on} ${id}`)),
    recoveries: carried.recoveries.toSorted(oldestFirst),
    loans: carried.loans.toSorted(oldestFirst),
  },
});

const hashOf = (value: object): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');

/** Returns the SHA-256 hash of an input as canonical JSON (RFC 8785). */
export const fingerprint = (input: PayInput): string => hashOf(inputInOrder(input));

/** Returns the hash of the facts alone, which detects arrears. */
export const factsFingerprint = (facts: PeriodFacts): string => hashOf(factsInOrder(facts));
