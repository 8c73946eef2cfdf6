/** Policies of the support desk: how soon tickets are answered and resolved, by their priority and what they are about. */
import { can, created, idOf, ok, page, paginate, removed } from '@suite/chassis';
import { command, query } from '../operations.ts';
import { askForCustomers } from '../people/people.ts';
import { changePolicy, createPolicy, removePolicy } from './sla-policy.ts';
import { SlaPolicy, SlaPolicyChanges, SlaPolicyFilter, SlaPolicyInput } from './sla-policy.schema.ts';
import { TargetOutOfReach } from '../calendars/target-reach.rules.ts';

export const list = query('GET /api/support-ticket/sla-policies', {
  summary: 'List SLA policies',
  access: can('workspace.update'),
  query: SlaPolicyFilter,
  reply: page(SlaPolicy),
  handle: ({ db, query }) => paginate(db, query, { table: 'sla_policies' }),
});

export const create = command('POST /api/support-ticket/sla-policy/store', {
  summary: 'Create an SLA policy',
  access: can('workspace.update'),
  body: SlaPolicyInput,
  reply: created(SlaPolicy),
  faults: [TargetOutOfReach],
  prepare: ({ rpc, body }) => askForCustomers(rpc, body.conditions?.customer_id),
  handle: ({ db, body }) => createPolicy(db, body),
});

export const update = command('POST /api/support-ticket/sla-policy/update/{id}', {
  summary: 'Update an SLA policy',
  access: can('workspace.update'),
  params: { id: idOf('sla_policies') },
  body: SlaPolicyChanges,
  reply: ok(SlaPolicy),
  faults: [TargetOutOfReach],
  prepare: ({ rpc, body }) => askForCustomers(rpc, body.conditions?.customer_id),
  handle: ({ db, params, body, expect }) => changePolicy(db, params.id, body, expect),
});

export const remove = command('POST /api/support-ticket/sla-policy/delete/{id}', {
  summary: 'Delete an SLA policy',
  access: can('workspace.update'),
  params: { id: idOf('sla_policies') },
  reply: removed,
  handle: ({ db, params }) => removePolicy(db, params.id),
});
