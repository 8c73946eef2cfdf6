/**
 * SLA policy version of a ticket: the policy and calendar at the time they first applied, unaffected by later changes.
 */
import { randomUUIDv7 } from 'node:crypto';
import { type Sql, sql } from '@suite/chassis/database';
import type { WorkingHours } from '../calendars/working-time.rules.ts';
import type { Db } from '../../operations.ts';
import type { TargetKind, SlaTarget } from '../sla/timer.rules.ts';
import { type PolicyConditions, policyFor, type PolicyCriteria } from '../sla/policy.rules.ts';
import type { SlaTargets } from '../sla/ticket-timers.rules.ts';

const MINUTE_MS = 60_000;
const TARGET_KINDS: readonly TargetKind[] = ['first_response', 'resolution', 'next_response'];

/** SLA policy version as stored. */
export interface PolicyVersion extends WorkingHours {
  id: string;
  policy_id: string;
  targets: Record<string, Partial<Record<`${TargetKind}_minutes`, number>> | undefined>;
  pause_in: string[];
  warn_percent: number;
}

/** Policy with its calendar, and its current version if a ticket already uses one. */
export interface PolicyRow extends Omit<PolicyVersion, 'id'> {
  terms_id: string | null;
  policy_version: number;
  calendar_version: number;
  name: string;
  conditions: PolicyConditions;
  active: boolean;
}

/** Returns the active policies of the workspace, in order. */
export const readPolicies = (db: Db): Promise<PolicyRow[]> =>
  db.rows<PolicyRow>(sql`
    SELECT policy.id AS policy_id, policy.version AS policy_version, policy.name, policy.active, conditions, policy.targets,
      policy.pause_in, policy.warn_percent, calendars.version AS calendar_version, calendars.timezone, calendars.hours,
      calendars.holidays, terms.id AS terms_id
    FROM sla_policies AS policy JOIN calendars ON calendars.id = policy.calendar_id
    LEFT JOIN sla_terms AS terms ON terms.policy_id = policy.id AND terms.policy_version = policy.version
      AND terms.calendar_version = calendars.version
    WHERE policy.active ORDER BY policy.position`);

/** Stores a policy version, once. */
async function storePolicyVersion(db: Db, { terms_id, ...policy }: PolicyRow): Promise<string> {
  if (terms_id) return terms_id;
  const { policy_id, policy_version, calendar_version } = policy;
  // The update changes nothing. It returns the row of a faster concurrent transaction.
  const [stored] = await db.rows<{ id: string }>(sql`
    INSERT INTO sla_terms (id, policy_id, policy_version, calendar_version, name, targets, pause_in, warn_percent, timezone, hours,
      holidays)
    VALUES (${randomUUIDv7()}::uuid, ${policy_id}::uuid, ${policy_version}, ${calendar_version}, ${policy.name},
      ${JSON.stringify(policy.targets)}::jsonb, ${policy.pause_in}::text[], ${policy.warn_percent}, ${policy.timezone},
      ${JSON.stringify(policy.hours)}::jsonb, ${JSON.stringify(policy.holidays)}::jsonb)
    ON CONFLICT (workspace_id, policy_id, policy_version, calendar_version) DO UPDATE SET name = sla_terms.name RETURNING id`);
  return stored!.id;
}

/** Returns the policy version for a ticket by the current policies. Null if no policy matches. */
export async function selectPolicyVersion(
  db: Db,
  policies: PolicyRow[],
  ticket: PolicyCriteria,
): Promise<PolicyVersion | null> {
  const policy = policyFor(policies, ticket);
  if (!policy) return null;
  policy.terms_id = await storePolicyVersion(db, policy);
  return { ...policy, id: policy.terms_id };
}

/** Reads policy versions by ID. @param ids a subquery */
export async function readPolicyVersions(db: Db, ids: Sql): Promise<Map<string, PolicyVersion>> {
  const rows = await db.rows<PolicyVersion>(sql`
    SELECT id, policy_id, targets, pause_in, warn_percent, timezone, hours, holidays FROM sla_terms WHERE id IN (${ids})`);
  return new Map(rows.map((row) => [row.id, row]));
}

const calendarOf = ({ timezone, hours, holidays }: WorkingHours): WorkingHours => ({ timezone, hours, holidays });

/** Returns the terms of a timer. */
export const slaTargetOf = (row: PolicyVersion, length: number): SlaTarget => ({
  id: row.id,
  calendar: calendarOf(row),
  length,
  warn_percent: row.warn_percent,
});

/** Returns the SLA targets of a policy version for a ticket of a priority. */
export function slaTargetsOf(row: PolicyVersion | null, priority: string): SlaTargets | null {
  if (!row) return null;
  const minutes = row.targets[priority] ?? {};
  const targets: Partial<Record<TargetKind, SlaTarget>> = {};
  for (const target of TARGET_KINDS) {
    const length = minutes[`${target}_minutes`];
    if (length !== undefined) targets[target] = slaTargetOf(row, length * MINUTE_MS);
  }
  return { targets, pause_in: row.pause_in };
}
