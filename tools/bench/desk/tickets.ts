/** Hand-written tickets baseline: the newest open tickets, and a new one with the next number. */
import { randomUUIDv7 } from 'node:crypto';
import { childSettings } from '../load/child-process.ts';
import { announce, lister, poolOf, type Row, transaction, user_id, workspace_id } from '../by-hand/program.ts';

const { support_url } = childSettings<{ support_url: string }>();
const support = poolOf(support_url);

const TICKET = `record.id, record.number, record.subject, record.description, record.status, record.priority, record.type,
  record.category_id, json_build_object('name', record.requester_name, 'email', record.requester_email,
    'user_id', record.requester_user_id, 'customer_id', record.customer_id, 'customer_name', record.customer_name) AS requester,
  record.merged_number AS merged_into, record.resolved_at, record.closed_at, 
  CASE WHEN record.rating IS NOT NULL THEN json_build_object('rating', record.rating, 'comment', record.rating_comment) END AS satisfaction,
  record.assignee_id, record.team, record.tags, record.channel, record.cc, record.external_id,
  record.pending_until, record.next_due_at, record.linked_to, record.authenticated, record.suspected_ticket_id, record.reopened_count, record.last_customer_reply_at,
  record.last_agent_reply_at, record.created_by, record.updated_by, record.created_at, record.updated_at, record.version,
  json_build_object('policy', (SELECT json_build_object('id', terms.policy_id, 'name', terms.name) FROM sla_terms AS terms WHERE terms.id = record.terms_id),
    'first_response_due', record.first_response_due, 'resolution_due', record.resolution_due,
    'first_responded_at', record.first_responded_at, 'resolved_at', record.resolved_at, 'paused_seconds', record.paused_seconds,
    'breached', record.breached_at IS NOT NULL OR coalesce(record.next_due_at < now(), FALSE),
    'near_breach', coalesce(record.next_warning_at <= now() AND record.next_due_at >= now(), FALSE)) AS sla`;

/** The actions that an agent may perform on an open ticket. */
const ACTIONS = ['wait', 'hold', 'resolve', 'mark_spam', 'merge', 'update', 'delete', 'reply', 'note'];

/** Lists the open tickets of the workspace. */
export const tickets = lister(
  support,
  'tickets',
  `status = 'open' AND deleted_at IS NULL`,
  `SELECT ${TICKET} FROM chosen AS record`,
  (row: Row) => ({ ...row, allowed_actions: ACTIONS }),
);

/** The body of a new ticket. */
export interface NewTicket {
  subject: string;
  description: string;
  requester: { name: string; email: string };
}

/** Copies the SLA timers of the last ticket, because due times are not computed here. */
const PROMISE = `
  WITH told AS (
    SELECT * FROM ticket_clocks WHERE workspace_id = $1 AND ticket_id = (
      SELECT ticket_id FROM ticket_clocks WHERE workspace_id = $1 ORDER BY id DESC LIMIT 1)),
  made AS (SELECT id AS model_id, gen_random_uuid() AS id FROM told),
  clocks AS (
    INSERT INTO ticket_clocks (id, workspace_id, ticket_id, target, run, terms_id, length_seconds, next_moment)
    SELECT made.id, $1, $2, target, run, terms_id, length_seconds, next_moment FROM told JOIN made ON model_id = told.id)
  INSERT INTO clock_intervals (workspace_id, clock_id, position, state, began_at, terms_id)
  SELECT $1, made.id, position, state, now(), terms_id FROM clock_intervals JOIN made ON model_id = clock_id
  WHERE workspace_id = $1`;

/** Writes the rows of a new ticket without an e-mail: its number, SLA timers, history and event. */
export const createTicket = ({ subject, description, requester: { name, email } }: NewTicket) =>
  transaction(support, 'tickets.create', async (client) => {
    const { rows: known } = await client.query<{ id: string }>(
      `SELECT id FROM users WHERE workspace_id = $1 AND lower(email) = $2 AND status = 'active' ORDER BY id LIMIT 1`,
      [workspace_id, email],
    );
    const { rows: counters } = await client.query<{ last: number }>(
      `INSERT INTO number_counters AS counter (workspace_id, type, year, last) VALUES ($1, 'ticket', 0, 1)
       ON CONFLICT (workspace_id, type, year) DO UPDATE SET last = counter.last + 1 RETURNING last`,
      [workspace_id],
    );
    const number = `T-${String(counters[0]?.last).padStart(6, '0')}`;
    const id = randomUUIDv7();
    const { rows } = await client.query(
      `INSERT INTO tickets AS record (id, workspace_id, number, subject, description, requester_name, requester_email,
         requester_user_id, silent, channel)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, TRUE, 'api') RETURNING ${TICKET}`,
      [id, workspace_id, number, subject, description, name, email, known[0]?.id ?? null],
    );
    await client.query(PROMISE, [workspace_id, id]);
    const { rows: activity } = await client.query(
      `INSERT INTO activities (id, workspace_id, ticket_id, verb) VALUES ($1, $2, $3, 'created') RETURNING id, verb, diff, at`,
      [randomUUIDv7(), workspace_id, id],
    );
    const data = { ticket_id: id, number, status: 'new' };
    await announce(client, [{ type: 'support.ticket.created', aggregate_id: id, data }]);
    const empty = { attachments: [], thread: [], thread_after: null, notes: [], assignee: null, category: null };
    const actor = { id: user_id };
    return { ...rows[0], ...empty, allowed_actions: ACTIONS, activity: activity.map((one) => ({ ...one, actor })) };
  });
