/** Views of a ticket's SLA targets, in lists and individually. */
import { type Sql, sql } from '@suite/chassis/database';
import type { ListRequest } from '@suite/chassis/lists';
import { clock } from '@suite/chassis/runtime';

type Row = Record<string, unknown>;
type Filter = ListRequest['filters'][number];

/** Returns a condition for a target that is currently overdue. At its exact due time, a target is still met. */
export const isOverdue = (): Sql => sql`tickets.next_due_at < ${clock.now()}`;

/** Returns a condition for a target that is or was breached. */
export const isBreached = (): Sql => sql`(tickets.breached_at IS NOT NULL OR ${isOverdue()})`;

/** Returns a condition for a target close to its due time, if none is overdue. */
export const isNearBreach = (): Sql =>
  sql`(tickets.next_warning_at <= ${clock.now()} AND tickets.next_due_at >= ${clock.now()})`;

/** Converts an unknown condition to false. */
export const falseIfNull = (condition: Sql): Sql => sql`coalesce(${condition}, FALSE)`;

/** Returns SQL for the SLA targets of a ticket as JSON. */
export const slaJson = (): Sql => sql`json_build_object(
  'policy', (SELECT json_build_object('id', sla_terms.policy_id, 'name', sla_terms.name) FROM sla_terms
    WHERE sla_terms.id = tickets.terms_id AND sla_terms.workspace_id = tickets.workspace_id),
  'first_response_due', tickets.first_response_due, 'resolution_due', tickets.resolution_due,
  'first_responded_at', tickets.first_responded_at, 'resolved_at', tickets.resolved_at,
  'paused_seconds', tickets.paused_seconds, 'breached', ${falseIfNull(isBreached())}, 'near_breach', ${falseIfNull(isNearBreach())})`;

/** A timestamp in JSON of PostgreSQL, whose sessions run in UTC. */
const JSON_TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00:00$/;

function toIsoTimestamp(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const [, time, fraction = ''] = JSON_TIMESTAMP.exec(value) ?? [];
  return time ? `${time}.${fraction.padEnd(3, '0')}Z` : new Date(value).toISOString();
}

/** Returns the SLA targets of a row, with timestamps from JSON in ISO format. */
export const toSlaResponse = (slaJson: Row): Row => ({
  ...slaJson,
  first_response_due: toIsoTimestamp(slaJson['first_response_due']),
  resolution_due: toIsoTimestamp(slaJson['resolution_due']),
  first_responded_at: toIsoTimestamp(slaJson['first_responded_at']),
  resolved_at: toIsoTimestamp(slaJson['resolved_at']),
});

/** Returns a filter by the current state of SLA targets. */
export function slaStateFilter(condition: Sql, { operator, values }: Filter): Sql {
  if (operator === 'null') return values[0] ? sql`FALSE` : sql`TRUE`;
  return values[0] === (operator === 'eq') ? condition : sql`NOT ${falseIfNull(condition)}`;
}
