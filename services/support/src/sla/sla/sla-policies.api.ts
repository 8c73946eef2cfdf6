/** SLA policies: how soon tickets are answered and resolved, by priority and conditions. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { assertCustomersActive } from '../../settings/ticket-references/ticket-references.ts';
import { changePolicy, createPolicy, removePolicy } from './sla-policy.ts';
import { SlaPolicy, SlaPolicyChanges, SlaPolicyFilter, SlaPolicyInput } from './sla-policy.schema.ts';
import { TargetOutOfReach } from '../calendars/target-reach.rules.ts';
import { slaPolicyActions } from './sla-policy.rules.ts';

const ADDITION = 'SLA targets must be defined.';

export const list = query('GET /api/support-ticket/sla-policies', {
  summary: 'List SLA policies',
  description: 'Returns SLA policies in the order in which they are tested, with conditions and targets.',
  addition: ADDITION,
  access: can('workspace.update'),
  query: SlaPolicyFilter,
  reply: page(SlaPolicy),
  handle: ({ db, query }) => paginate(db, query, { table: 'sla_policies' }),
});

export const create = command('POST /api/support-ticket/sla-policy/store', {
  summary: 'Create an SLA policy',
  description:
    'Creates a policy. `position` defaults to the end. New tickets get the first active policy whose conditions match. Returns `target_out_of_reach` if the calendar has too few hours.',
  addition: ADDITION,
  access: can('workspace.update'),
  body: SlaPolicyInput,
  reply: created(SlaPolicy),
  faults: [TargetOutOfReach],
  prepare: ({ rpc, body }) => assertCustomersActive(rpc, body.conditions?.customer_id),
  handle: ({ db, body }) => createPolicy(db, body),
});

export const update = command('POST /api/support-ticket/sla-policy/update/{id}', {
  summary: 'Update an SLA policy',
  description: 'Updates or moves a policy. Open tickets keep the previous version until you apply the policy to them.',
  addition: ADDITION,
  access: slaPolicyActions.can('update'),
  params: { id: idOf('sla_policies') },
  body: SlaPolicyChanges,
  reply: ok(SlaPolicy),
  faults: [TargetOutOfReach],
  prepare: ({ rpc, body }) => assertCustomersActive(rpc, body.conditions?.customer_id),
  handle: ({ db, params, body, expect }) => changePolicy(db, params.id, body, expect),
});

export const remove = command('POST /api/support-ticket/sla-policy/delete/{id}', {
  summary: 'Delete an SLA policy',
  description: 'Deletes a policy. The following policies move up. Open tickets keep their running timers.',
  addition: ADDITION,
  access: slaPolicyActions.can('delete'),
  params: { id: idOf('sla_policies') },
  reply: removed,
  handle: ({ db, params }) => removePolicy(db, params.id),
});
