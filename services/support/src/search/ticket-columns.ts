/** Tickets by columns that are not what their names say to everybody: a state in public words, a priority by its rank. */
import { type Caller, type ListRequest, type Sql, sql } from '@suite/chassis';
import { sla } from '../clocks/promise.view.ts';
import { Priority } from '../sla/sla-policy.schema.ts';

type Filter = ListRequest['filters'][number];

/** A filter by the state, as the caller reads it: of his own tickets in public words. */
export function byStatus({ user_id }: Caller, { operator, values }: Filter): Sql {
  const word = sql`CASE WHEN tickets.requester_user_id = ${user_id}::uuid THEN tickets.public_status ELSE tickets.status END`;
  if (operator === 'null') return values[0] ? sql`FALSE` : sql`TRUE`;
  if (operator === 'like') return sql`strpos(${word}, lower(${String(values[0])})) > 0`;
  return operator === 'ne' ? sql`${word} <> ALL(${values}::text[])` : sql`${word} = ANY(${values}::text[])`;
}

/** The order by priority, from low to urgent: by a column whose order is not that of the words. */
export const byRank = (request: ListRequest): ListRequest => ({
  ...request,
  sort: request.sort.map((key) =>
    key.column === 'priority' ? { ...key, column: 'priority_rank', kind: 'integer' } : key,
  ),
  after: request.after?.map((value, at) =>
    request.sort[at]!.column === 'priority' ? Priority.options.indexOf(value as never) + 1 : value,
  ),
});

/** The fields that only agents see. */
export const AGENT_FIELDS: readonly string[] = (
  'requester_email requester_user_id customer_id customer_name assignee_id team tags channel cc external_id pending_until ' +
  'linked_to suspected_ticket_id reopened_count authenticated original_html created_by last_customer_reply_at last_agent_reply_at updated_by assignee ' +
  'notes activity sla next_due_at'
).split(' ');

/** The fields that are filters, and shown nowhere. */
export const FILTERS_ONLY = ['view', 'first_response_due', 'resolution_due', 'breached', 'near_breach'] as const;

/** The columns by which nobody finds out what agents did with a ticket that he requested. */
const UNTOLD: readonly string[] = [...AGENT_FIELDS, ...FILTERS_ONLY, 'updated_at'];

/**
 * Keeps staff who do not see all tickets from asking about the agents' work on their own: those are in no list that is narrowed
 * by it.
 */
export const withoutOwn = ({ user_id }: Caller, filters: readonly Filter[]): Sql[] =>
  filters.some(({ column }) => UNTOLD.includes(column))
    ? [sql`tickets.requester_user_id IS DISTINCT FROM ${user_id}::uuid`]
    : [];

/** Fields that are no columns. What a caller may do and which words he reads, the view says of each row. */
export const compute = () => ({
  sla: sla(),
  breached: sql`NULL`,
  near_breach: sql`NULL`,
  requester: sql`json_build_object('name', tickets.requester_name, 'email', tickets.requester_email)`,
  merged_into: sql`tickets.merged_number`,
  satisfaction: sql`tickets.rating`,
  satisfaction_comment: sql`tickets.rating_comment`,
  allowed_actions: sql`ARRAY[]::text[]`,
  view: sql`NULL`,
  // The view reads these from a row, and shows them under the names that agents' columns have.
  status_for_requester: sql`tickets.public_status`,
  updated_for_requester: sql`tickets.public_updated_at`,
  version_for_requester: sql`tickets.public_version`,
});
