/** Asked-for changes: a new account or official number, which somebody asks for himself and somebody else confirms. */
import { can, idOf, ok, page } from '@suite/chassis';
import { IdentityTaken } from '../employees/employee.rules.ts';
import { EmploymentEnded, OwnRecord } from '../employment/employment.rules.ts';
import { command, query } from '../operations.ts';
import { ChangeRequest, ChangeRequestFilter, RequestDecision } from './request.schema.ts';
import { requestStates } from './request.rules.ts';
import { decideRequest } from './request.ts';
import { listRequests, readRequest } from './request.view.ts';

export const list = query('GET /api/employee-change-requests', {
  summary: 'List profile change requests',
  access: can('employee.update'),
  query: ChangeRequestFilter,
  reply: page(ChangeRequest),
  handle: ({ query, ...reader }) => listRequests(reader, query),
});

export const decide = command('POST /api/employee/confirm-change/{id}', {
  summary: 'Approve or reject a profile change request',
  description:
    'It takes the permission for the field, too: `employee.bank` or `employee.identity`. Once it is confirmed the employee has the new value.',
  access: requestStates.can('confirm', 'reject'),
  params: { id: idOf('change_requests') },
  body: RequestDecision,
  reply: ok(ChangeRequest),
  faults: [OwnRecord, EmploymentEnded, IdentityTaken],
  async handle({ params: { id }, body, ...context }) {
    await decideRequest(context, id, body);
    return await readRequest(context, id);
  },
});
