/** Erasure of personal data of former employees. Totals of work and pay remain. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { can, ok } from '@suite/chassis/operations';
import { PlainEmployee } from '../employees/employee.schema.ts';
import { OwnRecord } from '../../employment/employment/employment.rules.ts';
import { command } from '../../operations.ts';
import { Erasure } from './erasure.schema.ts';
import { eraseEmployee, RetentionNotOver, StillEmployed } from './erasure.ts';

export const erase = command('POST /api/employee/erase/{id}', {
  summary: "Erase a former employee's personal data",
  description:
    'Erases name, contact details, account, IDs, documents, warnings and reasons. Totals of attendance, leave and pay remain under the code. Returns `retention_not_over` before `retention_years` have passed, unless you enter a legal basis. The legal basis is stored.',
  addition: 'Data of former employees is erased when the law requires it.',
  access: can('employee.delete'),
  params: { id: idOf('employees') },
  query: { dry_run: DryRun },
  body: Erasure,
  reply: ok(PlainEmployee),
  faults: [OwnRecord, StillEmployed, RetentionNotOver],
  handle: ({ params, body, ...context }) => eraseEmployee(context, params.id, body),
});
