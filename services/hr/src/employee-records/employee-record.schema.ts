import { choice, DryRun, Id, input, LongText, refTo, Timestamp, version } from '@suite/chassis';
import { z } from 'zod';
import { EmployeeLabel } from '../employees/employee.schema.ts';

/** The fields of a record that say whom it is about. */
export const about = {
  employee_id: refTo('employees'),
  employee: EmployeeLabel.nullable().optional(),
  user_id: Id.nullable().describe('The user that the person signs in as.'),
};

/** The fields of a record that say what was decided on it. */
export const decided = {
  status: choice('pending', 'approved', 'rejected', 'withdrawn', 'effective'),
  decided_by: Id.nullable().describe('The user who decided last.'),
  decided_at: Timestamp.nullable(),
  remark: z.string().nullable().describe('Remark of the decision.'),
};

/** A reason or a remark in words. */
export const Words = LongText.min(1);

/** The decision on a record. */
export const Decision = input({
  action: choice('approve', 'reject', 'withdraw'),
  remark: Words.optional(),
  version,
});
export type Decision = z.output<typeof Decision>;

/** The parameters of a decision that can be rehearsed. */
export const Dry = { dry_run: DryRun };

/** The person whom a body is about. */
export const aboutInput = { employee_id: refTo('employees') };
