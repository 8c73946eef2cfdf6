/** SLA targets of tickets, and the application of policies to open tickets. */
import { find } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { can, ok } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { TargetOutOfReach } from '../../sla/calendars/target-reach.rules.ts';
import { assertAgentSide, NotAgent } from '../ticket-states/ticket-side.rules.ts';
import { applyPolicy } from './policy-application.ts';
import { PolicyApplication, TicketSla } from './ticket-sla.schema.ts';
import { readTicketSla } from './ticket-sla.view.ts';

export const show = query('GET /api/support-ticket/ticket/sla/{ticket_id}', {
  summary: "Get a ticket's SLA history",
  description: 'Returns each SLA target with its status, and every interval in which its timer ran or was paused.',
  addition: 'Agents see how a due time was calculated.',
  access: can('ticket.note'),
  params: { ticket_id: idOf('tickets') },
  reply: ok(TicketSla),
  faults: [NotAgent],
  async handle({ db, caller, params }) {
    const ticket = await find(db.ticket, params.ticket_id);
    assertAgentSide(caller, ticket);
    return readTicketSla(db, ticket);
  },
});

export const apply = command('POST /api/support-ticket/sla-policy/apply/{id}', {
  summary: 'Apply an SLA policy to open tickets',
  description:
    'Applies the current policies and calendars to open tickets that have or match this policy. Their timers keep start and used time. Other changes of policies and calendars never affect open tickets.',
  addition: 'A change to a policy does not affect open tickets automatically.',
  access: can('workspace.update'),
  params: { id: idOf('sla_policies') },
  reply: ok(PolicyApplication),
  faults: [TargetOutOfReach],
  handle: ({ db, params }) => applyPolicy(db, params.id),
});
