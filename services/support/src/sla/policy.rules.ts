/** Which promise a ticket falls under: the first active policy, by position, whose conditions all hold. */

/** The conditions of a policy: a ticket has a value of each list that is given; without any it takes every ticket. */
export interface Conditions {
  priority?: readonly string[] | undefined;
  category_id?: readonly string[] | undefined;
  type?: readonly string[] | undefined;
  customer_id?: readonly string[] | undefined;
  tags?: readonly string[] | undefined;
  channel?: readonly string[] | undefined;
}

/** The fields of a ticket that policies select by. */
export interface Selected {
  priority: string;
  category_id: string | null;
  type: string | null;
  customer_id: string | null;
  tags: readonly string[];
  channel: string;
}

/** The fields of a ticket by which its policy is chosen. */
export const SELECTING = ['priority', 'category_id', 'type', 'customer_id', 'tags', 'channel'] as const;

/** Whether all conditions hold. */
export const holds = (conditions: Conditions, ticket: Selected): boolean =>
  SELECTING.every((field) => {
    const wanted = conditions[field];
    return wanted === undefined || [ticket[field]].flat().some((value) => value !== null && wanted.includes(value));
  });

/** The policy of a ticket. @param policies in their order */
export const policyFor = <P extends { active: boolean; conditions: Conditions }>(
  policies: readonly P[],
  ticket: Selected,
): P | undefined => policies.find(({ active, conditions }) => active && holds(conditions, ticket));
