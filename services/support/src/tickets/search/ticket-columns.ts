/** Ticket columns with a special meaning: priority sorted by its rank, and fields for agents only. */
import { sql } from '@suite/chassis/database';
import type { ListRequest } from '@suite/chassis/lists';
import { slaJson } from '../../sla/timers/sla-target.view.ts';
import { Priority } from '../../sla/sla/sla-policy.schema.ts';

/** Sorts by priority from low to urgent, by a rank column instead of the alphabetical order. */
export const sortByRank = (request: ListRequest): ListRequest => ({
  ...request,
  sort: request.sort.map((key) =>
    key.column === 'priority' ? { ...key, column: 'priority_rank', kind: 'integer' } : key,
  ),
  after: request.after?.map((value, at) =>
    request.sort[at]!.column === 'priority' ? Priority.options.indexOf(value as never) + 1 : value,
  ),
});

/** Fields that only agents can see. */
export const AGENT_FIELDS: readonly string[] = (
  'assignee_id team tags channel cc external_id pending_until ' +
  'linked_to suspected_ticket_id reopened_count authenticated original_html created_by last_customer_reply_at last_agent_reply_at updated_by assignee ' +
  'notes activity merged_tickets sla next_due_at'
).split(' ');

/** Filters that are not fields of responses. */
export const FILTERS_ONLY = {
  view: true,
  requester_email: true,
  customer_id: true,
  first_response_due: true,
  resolution_due: true,
  breached: true,
  near_breach: true,
} as const;

/** Fields that would reveal the agents' work on a ticket that the caller requested. */
const AGENT_WORK_FIELDS: readonly string[] = [...AGENT_FIELDS, ...Object.keys(FILTERS_ONLY)].filter(
  (name) => name !== 'requester_email',
);

/**
 * Returns true if a list filters by the agents' work. Such a list omits tickets that a colleague requested themselves.
 * Chosen: for that colleague, these tickets are not agents' work, rather than unassigned work.
 */
export const isAboutWork = ({ filters }: ListRequest): boolean =>
  filters.some(({ column }) => AGENT_WORK_FIELDS.includes(column));

/** Columns with a different value for requesters that remain available as filters. */
const REQUESTER_VARIANTS: readonly string[] = ['status', 'updated_at'];

/** Returns true if a list filters or sorts by a column with a different or no value for requesters. */
export const differsBySide = ({ filters, sort }: ListRequest): boolean =>
  filters.some(({ column }) => REQUESTER_VARIANTS.includes(column)) ||
  sort.some(({ column }) => REQUESTER_VARIANTS.includes(column) || AGENT_WORK_FIELDS.includes(column));

/** Returns the computed fields. The view adds the caller's allowed actions and statuses to each row. */
export const computedColumns = () => ({
  sla: slaJson(),
  requester: sql`json_build_object('name', tickets.requester_name, 'email', tickets.requester_email,
    'user_id', tickets.requester_user_id, 'customer_id', tickets.customer_id, 'customer_name', tickets.customer_name)`,
  requester_user_id: sql`tickets.requester_user_id`,
  merged_into: sql`tickets.merged_number`,
  satisfaction: sql`tickets.rating`,
  rating_comment: sql`tickets.rating_comment`,
  allowed_actions: sql`ARRAY[]::text[]`,
  // The view reads these columns of a row, and shows them under the names of the agents' columns.
  status_for_requester: sql`tickets.public_status`,
  updated_for_requester: sql`tickets.public_updated_at`,
  version_for_requester: sql`tickets.public_version`,
});
