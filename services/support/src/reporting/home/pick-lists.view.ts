/** Pick lists for users who write or work on a ticket. */
import { sql } from '@suite/chassis/database';
import { FILE_KINDS } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import { selectableUsers } from '@suite/user-copies';
import type { z } from 'zod';
import { Priority } from '../../sla/sla/sla-policy.schema.ts';
import type { Db } from '../../operations.ts';
import { isAgent } from '../../tickets/ticket-states/ticket-side.rules.ts';
import { ticketStates } from '../../tickets/ticket-states/ticket.rules.ts';
import { Channel, TicketType } from '../../tickets/tickets/ticket.schema.ts';
import type { RequestData } from './home.schema.ts';

const PICK_LIST_MAX = 100;
const LIMITS = {
  attachment_bytes: 10 * 1024 * 1024,
  attachments: 5,
  types: FILE_KINDS.documents,
};

const readAgentsWithLoad = (db: Db) =>
  db.rows<{ id: string; name: string; open_count: number }>(sql`
    SELECT users.id, users.name, coalesce(load.tickets, 0) AS open_count FROM users LEFT JOIN (
      SELECT user_id, sum(tickets) AS tickets FROM ticket_counts
      WHERE side = 'assignee' AND status IN ('new', 'open', 'pending', 'on_hold') GROUP BY 1) AS load ON load.user_id = users.id
    WHERE ${selectableUsers} ORDER BY users.name, users.id LIMIT ${PICK_LIST_MAX}`);

/** Selects each team once, skipping from one index entry to the next. */
const readTeams = (db: Db) =>
  db.rows<{ team: string }>(sql`
    WITH RECURSIVE teams AS (
      (SELECT team FROM tickets WHERE team IS NOT NULL ORDER BY team LIMIT 1)
      UNION ALL
      SELECT (SELECT tickets.team FROM tickets WHERE tickets.team > teams.team ORDER BY tickets.team LIMIT 1)
      FROM teams WHERE teams.team IS NOT NULL
    ) SELECT team FROM teams WHERE team IS NOT NULL LIMIT ${PICK_LIST_MAX}`);

async function agentPickLists(db: Db): Promise<Partial<z.input<typeof RequestData>>> {
  const tags = await db.rows<{ tag: string }>(sql`
    SELECT tag FROM ticket_tags WHERE tickets > 0 ORDER BY tickets DESC, tag LIMIT ${PICK_LIST_MAX}`);
  const canned_replies = await db.rows<{ id: string; title: string }>(sql`
    SELECT id, title FROM canned_replies WHERE active ORDER BY title, id LIMIT ${PICK_LIST_MAX}`);
  const sla_policies = await db.rows<{ id: string; name: string }>(sql`
    SELECT id, name FROM sla_policies WHERE active ORDER BY position LIMIT ${PICK_LIST_MAX}`);
  return {
    statuses: ticketStates.states.map((status) => ({ status, actions: ticketStates.allowed(status) })),
    channels: Channel.options,
    agents: await readAgentsWithLoad(db),
    teams: (await readTeams(db)).map(({ team }) => team),
    tags: tags.map(({ tag }) => tag),
    canned_replies,
    sla_policies,
  };
}

/** Returns the pick lists for agents or requesters. */
export async function readRequestData(db: Db, caller: Caller): Promise<z.input<typeof RequestData>> {
  const side = isAgent(caller) ? 'agent' : 'requester';
  const categories = await db.rows<{ id: string; name: string; color: string; default_assignee_id: string | null }>(sql`
    SELECT id, name, color, default_assignee AS default_assignee_id FROM categories ORDER BY name, id LIMIT ${PICK_LIST_MAX}`);
  const common = { side, types: TicketType.options, limits: LIMITS } as const;
  if (side === 'agent') return { ...common, categories, priorities: Priority.options, ...(await agentPickLists(db)) };
  return {
    ...common,
    categories: categories.map(({ default_assignee_id: _, ...category }) => category),
    priorities: Priority.options.filter((priority) => priority !== 'urgent'),
  };
}
