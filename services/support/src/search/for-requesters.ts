/** Tickets as those read them who asked for them. */
import { type Sql, sql } from '@suite/chassis';

/** Requesters read a ticket by its public columns alone: no filter and no order tells what agents did. */
export const forRequesters: Sql = sql`(SELECT id, workspace_id, number, subject, description, public_status AS status, priority, priority_rank, type,
  category_id, requester_name, requester_email, requester_user_id, merged_number, resolved_at, closed_at, rating,
  rating_comment, created_at, public_updated_at AS updated_at, public_version AS version, public_status, public_updated_at,
  public_version, NULL::uuid AS customer_id, NULL::text AS customer_name, NULL::uuid AS assignee_id, NULL::text AS team,
  '{}'::text[] AS tags, channel, '{}'::text[] AS cc, NULL::text AS external_id, NULL::timestamptz AS pending_until,
  NULL::uuid AS linked_to, NULL::uuid AS suspected_ticket_id, 0 AS reopened_count,
  NULL::timestamptz AS last_customer_reply_at, NULL::timestamptz AS last_agent_reply_at, NULL::uuid AS created_by,
  NULL::uuid AS updated_by, NULL::uuid AS terms_id, NULL::timestamptz AS first_response_due,
  NULL::timestamptz AS resolution_due, NULL::timestamptz AS next_due_at, NULL::timestamptz AS next_warning_at,
  NULL::timestamptz AS breached_at, NULL::boolean AS authenticated,
  NULL::timestamptz AS first_responded_at, 0 AS paused_seconds, shared_customer_id,
  deleted_at FROM tickets)`;
