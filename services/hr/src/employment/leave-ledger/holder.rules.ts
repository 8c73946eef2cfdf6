/** Holders of leave accounts: the period and the policy for an employee's grants. */
import { type DatedValue, valueOn } from '../../time/days/day.rules.ts';
import { firstOf, laterOf, yearOf } from './calendar.rules.ts';
import type { GrantPolicy } from './grant.rules.ts';
import type { LeaveHolder } from './settlement.rules.ts';

/** Employment and leave type, with the fields that grants depend on. Days are decimals. */
export interface HolderFacts {
  employment_id: string;
  leave_type_id: string;
  joining_date: string;
  exit_date: string | null;
  /** Days on which the employment and the leave type were entered. */
  employment_entered_on: string;
  type_entered_on: string;
  gender: string | null;
  /** Employment types during this employment. */
  employment_types: readonly DatedValue<string>[];
  /** Employees that the type applies to. Defaults to all employees. */
  for_gender: string | null;
  for_employment_types: readonly string[];
  entitlement_step: string;
  policy: Omit<GrantPolicy, 'days_per_year' | 'carry_forward_max' | 'allow_negative_to'> &
    Record<'days_per_year' | 'carry_forward_max' | 'allow_negative_to', string>;
}

/** Converts days, or a decimal text of days, to hundredths of a day. */
export const hundredths = (days: string | number): number => Math.round(Number(days) * 100);

/** Converts hundredths of a day to a decimal text of days, without trailing zeros. */
export const daysText = (amount: number): string => String(amount / 100);

/**
 * Returns the first day of the employee's current uninterrupted eligibility for a type. @returns undefined if not
 * eligible
 */
export function employedSince(
  history: readonly DatedValue<string>[],
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
 * Returns the holder of an account. Grants start with the employment, but no earlier than the year in which type and
 * employment were both entered. Earlier balances are entered manually.
 */
export function leaveHolderOf(facts: HolderFacts, today: string): LeaveHolder {
  const { employment_id, leave_type_id, joining_date, exit_date, policy } = facts;
  const entered = firstOf(yearOf(laterOf(facts.employment_entered_on, facts.type_entered_on)));
  const since =
    facts.for_employment_types.length === 0
      ? joining_date
      : employedSince(facts.employment_types, facts.for_employment_types, laterOf(today, joining_date));
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
      from: [joining_date, entered, since ?? joining_date].reduce(laterOf),
      ...(since !== undefined && since > joining_date && { since }),
      to: exit_date,
      step: Math.max(hundredths(facts.entitlement_step), 1),
    },
  };
}
