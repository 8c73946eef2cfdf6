import { choice, DryRun, Id, input, LongText, refTo, Timestamp, version } from '@suite/chassis/fields';
import { z } from 'zod';
import { EmployeeLabel } from '../employees/employee.schema.ts';

/** Fields for the employee that a record is about. */
export const about = {
  employee_id: refTo('employees'),
  employee: EmployeeLabel.nullable().optional(),
  user_id: Id.nullable().describe('ID of the user account of the employee.'),
};

/** Fields for the decision on a record. */
export const decided = {
  status: choice('pending', 'approved', 'rejected', 'withdrawn', 'effective'),
  decided_by: Id.nullable().describe('ID of the user who made the last decision.'),
  decided_at: Timestamp.nullable(),
  remark: z.string().nullable().describe('Remark on the decision.'),
};

/** Reason or remark. */
export const Words = LongText.min(1);

/** Decision on a record. */
export const Decision = input({
  action: choice('approve', 'reject', 'withdraw'),
  remark: Words.optional(),
  version,
});
export type Decision = z.output<typeof Decision>;

/** Parameters of a decision that supports a dry run. */
export const DecisionDryRun = { dry_run: DryRun };

/** Employee that a request body is about. */
export const aboutInput = { employee_id: refTo('employees') };
