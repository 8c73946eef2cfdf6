/** Whose account it is: for which time, and by which policy, days are granted to somebody. */
import { type Dated, valueOn } from '../days/day.rules.ts';
import { firstOf, later, yearOf } from './calendar.rules.ts';
import type { Policy } from './grant.rules.ts';
import type { Holder } from './settlement.rules.ts';

/** An employment and a type of leave, as far as grants depend on them. Days are decimals. */
export interface HolderFacts {
  employment_id: string;
  leave_type_id: string;
  joining_date: string;
  exit_date: string | null;
  /** The days on which the employment and the type were entered in the suite. */
  employment_entered_on: string;
  type_entered_on: string;
  gender: string | null;
  /** The types of employment that he has had in it. */
  employment_types: readonly Dated<string>[];
  /** Those whom the type is for; everybody by default. */
  for_gender: string | null;
  for_employment_types: readonly string[];
  entitlement_step: string;
  policy: Omit<Policy, 'days_per_year' | 'carry_forward_max' | 'allow_negative_to'> &
    Record<'days_per_year' | 'carry_forward_max' | 'allow_negative_to', string>;
}

/** Days, or a decimal text of days, in hundredths of a day. */
export const hundredths = (days: string | number): number => Math.round(Number(days) * 100);

/** Hundredths of a day as a decimal text of days, without zeros at its end. */
export const daysText = (amount: number): string => String(amount / 100);

/** The day since when somebody has been employed in a way that a type is for, without a break. @returns undefined when he is not */
export function employedSince(
  history: readonly Dated<string>[],
  types: readonly string[],
  today: string,
): string | undefined {
  const isFor = (day: string) => types.includes(valueOn(history, day) ?? '');
  if (!isFor(today)) return undefined;
  const changes = [...new Set(history.map(({ effective_from }) => effective_from))].filter((day) => day <= today);
  const last = changes.toSorted().findLastIndex((day) => !isFor(day));
  return changes.toSorted()[last + 1];
}

/**
 * The holder of an account. Days are granted since he joined, but not for a year before the type and the employment were
 * entered in the suite: what was granted and taken elsewhere is brought in by hand.
 */
export function holderOf(facts: HolderFacts, today: string): Holder {
  const { employment_id, leave_type_id, joining_date, exit_date, policy } = facts;
  const entered = firstOf(yearOf(later(facts.employment_entered_on, facts.type_entered_on)));
  const since =
    facts.for_employment_types.length === 0
      ? joining_date
      : employedSince(facts.employment_types, facts.for_employment_types, later(today, joining_date));
  const isFor = since !== undefined && (facts.for_gender === null || facts.for_gender === facts.gender);
  return {
    key: `${employment_id} ${leave_type_id}`,
    policy: {
      ...policy,
      days_per_year: hundredths(policy.days_per_year),
      carry_forward_max: hundredths(policy.carry_forward_max),
      allow_negative_to: hundredths(policy.allow_negative_to),
      active: policy.active && isFor,
    },
    term: {
      from: [joining_date, entered, since ?? joining_date].reduce(later),
      ...(since !== undefined && since > joining_date && { since }),
      to: exit_date,
      step: Math.max(hundredths(facts.entitlement_step), 1),
    },
  };
}
