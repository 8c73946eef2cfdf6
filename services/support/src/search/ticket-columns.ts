/** Tickets by columns that are not what their names say to everybody: a priority by its rank, and the fields of agents alone. */
import { type ListRequest, sql } from '@suite/chassis';
import { sla } from '../clocks/promise.view.ts';
import { Priority } from '../sla/sla-policy.schema.ts';

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
  'notes activity merged_tickets sla next_due_at'
).split(' ');

/** The fields that are filters, and shown nowhere. */
export const FILTERS_ONLY = ['view', 'first_response_due', 'resolution_due', 'breached', 'near_breach'] as const;

/** The fields by which nobody finds out what agents did with a ticket that he requested. */
const UNTOLD: readonly string[] = [...AGENT_FIELDS, ...FILTERS_ONLY].filter((name) => name !== 'requester_email');

/**
 * Whether a list is narrowed by the agents' work: the tickets that a colleague asked for himself are in no such list.
 * Chosen: to him, they are work of nobody, not work that lies with nobody.
 */
export const isAboutWork = ({ filters }: ListRequest): boolean => filters.some(({ column }) => UNTOLD.includes(column));

/** The columns that say something else to a requester, by which a list may be narrowed all the same. */
const OTHERWISE: readonly string[] = ['status', 'updated_at'];

/** Whether a list is narrowed or sorted by what a requester reads in his own way, or not at all. */
export const tellsSidesApart = ({ filters, sort }: ListRequest): boolean =>
  filters.some(({ column }) => OTHERWISE.includes(column)) ||
  sort.some(({ column }) => OTHERWISE.includes(column) || UNTOLD.includes(column));

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
