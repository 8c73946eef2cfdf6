import { Id, refTo } from '@suite/chassis/fields';
import { z } from 'zod';

const PART_MAX = 500;
const references = (table: string) => z.array(refTo(table)).max(PART_MAX).default([]);

/** Audience in a request body. */
export const AudienceInput = z
  .strictObject({
    branch_ids: references('branches'),
    department_ids: references('departments').describe('IDs of departments. Includes the departments below them.'),
    designation_ids: references('designations'),
    employee_ids: references('employees'),
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
