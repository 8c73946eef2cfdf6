/** Selection of a ticket's SLA policy: the first active one, by position, whose conditions all match. */

/**
 * Conditions of a policy. A ticket must have a value of each specified list. Without conditions, every ticket matches.
 */
export interface PolicyConditions {
  priority?: readonly string[] | undefined;
  category_id?: readonly string[] | undefined;
  type?: readonly string[] | undefined;
  customer_id?: readonly string[] | undefined;
  tags?: readonly string[] | undefined;
  channel?: readonly string[] | undefined;
}

/** Ticket fields that policy conditions use. */
export interface PolicyCriteria {
  priority: string;
  category_id: string | null;
  type: string | null;
  customer_id: string | null;
  tags: readonly string[];
  channel: string;
}

/** Ticket fields that determine its policy. */
export const POLICY_CRITERIA = ['priority', 'category_id', 'type', 'customer_id', 'tags', 'channel'] as const;

/** Returns true if all conditions match. */
export const matchesConditions = (conditions: PolicyConditions, ticket: PolicyCriteria): boolean =>
  POLICY_CRITERIA.every((field) => {
    const accepted = conditions[field];
    return accepted === undefined || [ticket[field]].flat().some((value) => value !== null && accepted.includes(value));
  });

/** Returns the policy of a ticket. @param policies in order */
export const policyFor = <P extends { active: boolean; conditions: PolicyConditions }>(
  policies: readonly P[],
  ticket: PolicyCriteria,
): P | undefined => policies.find(({ active, conditions }) => active && matchesConditions(conditions, ticket));
