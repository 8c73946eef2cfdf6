/** How lists and shows tell of the promises to a ticket. */
import { clock, type ListRequest, type Sql, sql } from '@suite/chassis';

type Row = Record<string, unknown>;
type Filter = ListRequest['filters'][number];

/** Whether a promise is late by now. In the instant that it is due, it is kept. */
export const late = (): Sql => sql`tickets.next_due_at < ${clock.now()}`;

/** Whether a promise is or was late. */
export const breached = (): Sql => sql`(tickets.breached_at IS NOT NULL OR ${late()})`;

/** Whether a promise is nearly late, and none is. */
export const nearBreach = (): Sql =>
  sql`(tickets.next_warning_at <= ${clock.now()} AND tickets.next_due_at >= ${clock.now()})`;

/** A condition that is never unknown. */
export const surely = (condition: Sql): Sql => sql`coalesce(${condition}, FALSE)`;

/** The promises of a ticket as JSON. */
export const sla = (): Sql => sql`json_build_object(
  'policy', (SELECT json_build_object('id', sla_terms.policy_id, 'name', sla_terms.name) FROM sla_terms
    WHERE sla_terms.id = tickets.terms_id AND sla_terms.workspace_id = tickets.workspace_id),
  'first_response_due', tickets.first_response_due, 'resolution_due', tickets.resolution_due,
  'first_responded_at', tickets.first_responded_at, 'resolved_at', tickets.resolved_at,
  'paused_seconds', tickets.paused_seconds, 'breached', ${surely(breached())}, 'near_breach', ${surely(nearBreach())})`;

/** The promises of a row: what comes as JSON writes moments in its own way. */
export function shownSla(sla: Row): Row {
  const isMoment = (value: unknown): value is string => typeof value === 'string';
  return Object.fromEntries(
    Object.entries(sla).map(([name, value]) => [name, isMoment(value) ? new Date(value).toISOString() : value]),
  );
}

/** A filter by what is told of promises at this instant. */
export function byPromise(condition: Sql, { operator, values }: Filter): Sql {
  if (operator === 'null') return values[0] ? sql`FALSE` : sql`TRUE`;
  return values[0] === (operator === 'eq') ? condition : sql`NOT ${surely(condition)}`;
}
