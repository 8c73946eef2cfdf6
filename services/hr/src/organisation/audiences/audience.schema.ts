import { Id, refTo } from '@suite/chassis/fields';
import { z } from 'zod';

const MOST = 500;
const some = (table: string) => z.array(refTo(table)).max(MOST).default([]);

/** Audience in a request body. */
export const AudienceInput = z
  .strictObject({
    branch_ids: some('branches'),
    department_ids: some('departments').describe('IDs of departments. Includes the departments below them.'),
    designation_ids: some('designations'),
    employee_ids: some('employees'),
  })
  .describe('Audience: employees in at least one of these groups. Defaults to all employees.')
  .meta({ id: 'AudienceInput' });
export type AudienceInput = z.output<typeof AudienceInput>;

/** Audience of a notice. */
export const Audience = z
  .object({
    branch_ids: z.array(Id),
    department_ids: z.array(Id),
    designation_ids: z.array(Id),
    employee_ids: z.array(Id),
  })
  .meta({ id: 'Audience' });

/** Audience parts. Lists can be filtered by these fields but do not show them. */
export const PARTS = ['branch_id', 'department_id', 'designation_id', 'employee_id'] as const;
