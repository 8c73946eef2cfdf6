/** Tickets as visible to their requesters. */
import { raw, type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import type { ListRequest } from '@suite/chassis/lists';
import { isAboutWork, differsBySide } from './ticket-columns.ts';

/** Columns that both sides can read. */
const SHARED_COLUMNS =
  'id, workspace_id, number, subject, description, priority, priority_rank, type, category_id, requester_name, requester_email, ' +
  'requester_user_id, merged_number, resolved_at, closed_at, rating, rating_comment, created_at, channel, shared_customer_id, ' +
  'deleted_at, public_status, public_updated_at, public_version';

/** Columns about the agents' work, with the requester's columns in their place. */
const REQUESTER_VALUES: Readonly<Record<string, string>> = {
  status: 'public_status',
  updated_at: 'public_updated_at',
  version: 'public_version',
  customer_id: 'NULL::uuid',
  customer_name: 'NULL::text',
  assignee_id: 'NULL::uuid',
  team: 'NULL::text',
  tags: `'{}'::text[]`,
  cc: `'{}'::text[]`,
  external_id: 'NULL::text',
  pending_until: 'NULL::timestamptz',
  linked_to: 'NULL::uuid',
  suspected_ticket_id: 'NULL::uuid',
  reopened_count: '0',
  last_customer_reply_at: 'NULL::timestamptz',
  last_agent_reply_at: 'NULL::timestamptz',
  created_by: 'NULL::uuid',
  updated_by: 'NULL::uuid',
  terms_id: 'NULL::uuid',
  first_response_due: 'NULL::timestamptz',
  resolution_due: 'NULL::timestamptz',
  next_due_at: 'NULL::timestamptz',
  next_warning_at: 'NULL::timestamptz',
  breached_at: 'NULL::timestamptz',
  authenticated: 'NULL::boolean',
  first_responded_at: 'NULL::timestamptz',
  paused_seconds: '0',
};

const maskedColumns = Object.entries(REQUESTER_VALUES).map(([name, shown]) => `${shown} AS ${name}`);
const selectForRequester = `SELECT ${SHARED_COLUMNS}, ${maskedColumns.join(', ')}`;
const selectForAgent = `SELECT ${SHARED_COLUMNS}, ${Object.keys(REQUESTER_VALUES).join(', ')}`;

/** Requesters read the public columns only: no filter and no order reveals the agents' work. */
const requesterTickets: Sql = raw(`(${selectForRequester} FROM tickets)`);

/** Timestamps and ranks without an index: the few tickets of one requester are found by requester, and then sorted. */
const selectUnindexed = selectForRequester
  .replace('created_at,', `created_at + interval '0' AS created_at,`)
  .replace('priority_rank,', 'priority_rank + 0::smallint AS priority_rank,');

/**
 * Returns tickets as visible to a colleague: as requester for their own requests, as agent for all others. The
 * condition is outside the union. PostgreSQL reads both parts in list order by index if they have no conditions of
 * their own.
 */
const colleagueTickets = (user_id: string): { from: Sql; where: Sql } => ({
  from: raw(
    `(${selectForAgent}, FALSE AS is_own FROM tickets UNION ALL ${selectUnindexed}, TRUE AS is_own FROM tickets)`,
  ),
  where: sql`(tickets.is_own AND tickets.requester_user_id = ${user_id}::uuid
    OR NOT tickets.is_own AND tickets.requester_user_id IS DISTINCT FROM ${user_id}::uuid)`,
});

/** Returns true if a list filters neither by status nor by ticket. */
const isOpenEnded = ({ filters }: ListRequest): boolean =>
  !filters.some(({ column }) => column === 'status' || column === 'view' || column === 'id');

/**
 * Returns the tickets of a list as visible to its caller. A requester learns nothing of the agents' work, even if they
 * are an agent: from no row, filter, order or cursor.
 */
export function ticketsVisibleTo({ kind, user_id }: Caller, request: ListRequest): { from?: Sql; where: Sql[] } {
  if (kind === 'client' || kind === 'vendor') return { from: requesterTickets, where: [] };
  const isOwn = sql`tickets.requester_user_id IS NOT DISTINCT FROM ${user_id}::uuid`;
  const defaultConditions = isOpenEnded(request) ? [sql`tickets.status NOT IN ('spam', 'merged')`] : [];
  if (isAboutWork(request)) return { where: [...defaultConditions, sql`NOT ${isOwn}`] };
  if (differsBySide(request)) {
    const { from, where } = colleagueTickets(user_id);
    return { from, where: [...defaultConditions, where] };
  }
  return { where: defaultConditions.map((condition) => sql`(${condition} OR ${isOwn})`) };
}
