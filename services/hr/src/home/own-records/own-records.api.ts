/** Export of your own personal data. */
import { ok } from '@suite/chassis/operations';
import { query } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import { packOwnRecords } from './own-records-archive.ts';
import { OwnRecords } from './own-records.schema.ts';
import { readOwnRecords } from './own-records.ts';

export const show = query('GET /api/hrm/my-data', {
  summary: 'Export your personal data',
  description:
    'Returns all personal data that the suite stores about you. Send `Accept: application/zip` for an archive with one JSON file per kind of record.',
  addition: 'Employees view and correct their own data, and sensitive changes need confirmation by another user.',
  access: employeesOnly,
  reply: ok(OwnRecords),
  faults: [NotAnEmployee],
  handle: (context) => readOwnRecords(context),
  formats: { zip: packOwnRecords },
});
