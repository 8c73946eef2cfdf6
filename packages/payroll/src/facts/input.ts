/** The facts from which a payslip is computed. Everything is text, a whole number or a truth, so that it has one canonical form. */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Component } from './component.ts';
import { inOrderOfComputing } from './component.ts';
import type { Day, WorkingDaysBasis } from './days.ts';

export const frequencies = ['monthly', 'fortnightly', 'weekly'] as const;
export type Frequency = (typeof frequencies)[number];

/** A component that somebody is paid. @property value instead of the component's own amount or percent */
export interface Assigned {
  readonly code: string;
  readonly value?: string | null;
}

/** The salary of somebody from a day on. Amounts are of a month, or of an hour. */
export interface Terms {
  /** YYYY-MM-DD. */
  readonly from: string;
  readonly basis: 'monthly' | 'hourly';
  readonly amount: string;
  readonly weekly_hours: string;
  readonly components: readonly Assigned[];
}

/** Something that is paid once. Of arrears: what a payslip should have had, what it had, and what was settled since. */
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

/** An amount that was left over, and is to be taken now. @property since YYYY-MM-DD: the oldest is taken first */
export interface OpenRecovery {
  readonly id: string;
  readonly since: string;
  readonly left: string;
}

/** A loan that comes back. */
export interface OpenLoan extends OpenRecovery {
  readonly instalment: string;
}

/** Days of leave that are settled with money: of a line of the ledger of leave, once. */
export interface SettledLeave {
  readonly id: string;
  /** YYYY-MM-DD: the day of which they are. */
  readonly on: string;
  /** Days that are paid out; below zero, days that somebody owes who has left. */
  readonly days: string;
  /** The salary of that day. */
  readonly salary: Pick<Terms, 'basis' | 'amount' | 'weekly_hours'>;
}

/** The facts of a period by itself: when they change later, there are arrears. */
export interface Facts {
  readonly person: { readonly id: string; readonly dob: string | null; readonly joining_date: string };
  readonly period: {
    readonly start: string;
    readonly end: string;
    readonly frequency: Frequency;
    /** Whether salaries are paid: an extra run pays one-offs only. */
    readonly regular: boolean;
  };
  readonly currency: string;
  readonly settings: {
    readonly working_days_basis: WorkingDaysBasis;
    readonly overtime_factor: string;
    readonly recovery_max_percent: number;
  };
  /** Each calendar day of the period. */
  readonly days: readonly Day[];
  readonly terms: readonly Terms[];
  readonly components: readonly Component[];
}

/** The rest of an input: from other periods, and from the run. */
export interface Carried {
  readonly one_offs: readonly OneOff[];
  readonly leave: readonly SettledLeave[];
  readonly tax_year: {
    /** With this one. */
    readonly periods_left: number;
    /** Of this year, before this period. */
    readonly taxable: string;
    /** By the code of each tax. */
    readonly paid: Readonly<Record<string, string>>;
  };
  readonly recoveries: readonly OpenRecovery[];
  readonly loans: readonly OpenLoan[];
}

/** The part of an input that is paid once: it says nothing of the periods to come. */
export type PaidOnce = Pick<Carried, 'one_offs' | 'leave'>;

export interface PayInput {
  readonly facts: Facts;
  readonly carried: Carried;
}

const by =
  <T>(key: (value: T) => string) =>
  (one: T, other: T): number => {
    const [left, right] = [key(one), key(other)];
    return left < right ? -1 : Number(left > right);
  };
const oldestFirst = by<OpenRecovery>(({ since, id }) => `${since} ${id}`);

/** The same facts in their order. */
const factsInOrder = (facts: Facts): Facts => ({
  ...facts,
  days: facts.days.toSorted(by(({ date }) => date)),
  terms: facts.terms
    .map((terms) => ({ ...terms, components: terms.components.toSorted(by(({ code }) => code)) }))
    .toSorted(by(({ from }) => from)),
  components: inOrderOfComputing(facts.components.map((each) => ({ ...each, base: each.base.toSorted() }))),
});

/** The same input in its order: in which order facts were found changes nothing. */
export const inOrder = ({ facts, carried }: PayInput): PayInput => ({
  facts: factsInOrder(facts),
  carried: {
    ...carried,
    one_offs: carried.one_offs.toSorted(by(({ code, id }) => `${code} ${id}`)),
    leave: carried.leave.toSorted(by(({ on, id }) => `${on} ${id}`)),
    recoveries: carried.recoveries.toSorted(oldestFirst),
    loans: carried.loans.toSorted(oldestFirst),
  },
});

const hashOf = (value: object): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');

/** SHA-256 of an input as canonical JSON (RFC 8785). */
export const fingerprint = (input: PayInput): string => hashOf(inOrder(input));

/** The same of the facts alone, by which arrears are noticed. */
export const factsFingerprint = (facts: Facts): string => hashOf(factsInOrder(facts));
