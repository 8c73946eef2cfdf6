/** Profile change requests: new bank accounts and official numbers that await approval. */
import { idOf } from '@suite/chassis/fields';
import { can, ok, page } from '@suite/chassis/operations';
import { IdentityTaken } from '../../employment/employee-users/employee.rules.ts';
import { EmploymentEnded, OwnRecord } from '../../employment/employment/employment.rules.ts';
import { command, query } from '../../operations.ts';
import { ChangeRequest, ChangeRequestFilter, RequestDecision } from './request.schema.ts';
import { requestStates } from './request.rules.ts';
import { decideRequest } from './request.ts';
import { listRequests, readRequest } from './request.view.ts';

const ADDITION = 'Employees view and correct their own data, and sensitive changes need confirmation by another user.';

export const list = query('GET /api/employee-change-requests', {
  summary: 'List profile change requests',
  description: 'Returns requested changes to bank accounts and official numbers, for the employees that you may see.',
  addition: ADDITION,
  access: can('employee.update'),
  query: ChangeRequestFilter,
  reply: page(ChangeRequest),
  handle: ({ query, ...context }) => listRequests(context, query),
});

export const decide = command('POST /api/employee/confirm-change/{id}', {
  summary: 'Approve or reject a profile change request',
  description:
    'Decides on a requested change to a bank account or an official number. Approval stores the new value. Also requires `employee.bank` or `employee.identity`, depending on the field.',
  addition: ADDITION,
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
