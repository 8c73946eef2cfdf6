/** The support dashboard, and the options of the ticket form. */
import { can, ok } from '@suite/chassis/operations';
import { query } from '../../operations.ts';
import { Home, RequestData } from './home.schema.ts';
import { readHome } from './home.view.ts';
import { readRequestData } from './pick-lists.view.ts';

export const show = query('GET /api/support-ticket/home', {
  summary: 'Get the support dashboard',
  description: 'Returns totals of all tickets to agents, and of their own tickets to requesters.',
  access: can('ticket.view'),
  reply: ok(Home),
  handle: ({ db, caller }) => readHome(db, caller),
});

export const requestData = query('GET /api/support-ticket/get-request-data', {
  summary: 'Get the options of the ticket form',
  description:
    'Returns categories, types, priorities and file limits of the ticket form. Agents also get assignees and canned replies. Requesters cannot choose the priority `urgent`.',
  access: can('ticket.view'),
  reply: ok(RequestData),
  handle: ({ db, caller }) => readRequestData(db, caller),
});
