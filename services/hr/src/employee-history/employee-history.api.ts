/** The history of an employee: each term as a fact from a day on, with its cause. */
import { idOf, page, signedIn } from '@suite/chassis';
import { query } from '../operations.ts';
import { EmployeeChange, EmployeeChangeFilter } from './employee-change.schema.ts';
import { listChanges, witnessChanges } from './employee-history.ts';

export const list = query('GET /api/employee/history/{id}', {
  summary: 'List past and scheduled employment changes',
  description:
    'It takes `employee.view`, but of oneself; salaries take `employee.salary`, and are shown where `expand` names them.',
  access: signedIn,
  params: { id: idOf('employees') },
  query: EmployeeChangeFilter,
  reply: page(EmployeeChange),
  handle: ({ params, query, ...reader }) => listChanges(reader, params.id, query),
  witness: witnessChanges,
});
