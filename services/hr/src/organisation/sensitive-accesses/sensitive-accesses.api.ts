/** The access log of salaries, bank accounts and official numbers. Entries never change. */
import { sql } from '@suite/chassis/database';
import { one, paginate } from '@suite/chassis/lists';
import { can, page } from '@suite/chassis/operations';
import { userLabels } from '@suite/user-copies';
import { query } from '../../operations.ts';
import { SensitiveAccess, SensitiveAccessFilter } from './sensitive-access.schema.ts';

export const list = query('GET /api/sensitive-accesses', {
  summary: 'List accesses to sensitive data',
  description: 'Returns the access log: user, employee, type of sensitive data, and time. Entries never change.',
  addition: 'Accesses to sensitive data must be auditable.',
  // Chosen: owners and HR have the permission `hr_setting.update`. Managers and payroll have neither it nor access to
  // this log.
  access: can('hr_setting.update'),
  query: SensitiveAccessFilter,
  reply: page(SensitiveAccess),
  handle: ({ db, query }) =>
    paginate(db, query, {
      table: 'sensitive_accesses',
      compute: { updated_at: sql`sensitive_accesses.at` },
      expand: { user: one('by', userLabels(db)) },
    }),
});
