import { Day, Id, input, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { searchedEmployee } from '../../organisation/setup/employee-search.ts';
import { about, aboutInput, decided, Words } from '../../employees/employee-records/employee-record.schema.ts';
import { EmployeeLabel, NamedRow } from '../../employees/employees/employee.schema.ts';
import { transferStates } from './employee-transfer.rules.ts';

/** Transfer: a change of an employee's branch, department or manager from a given day. */
export const EmployeeTransfer = record({
  ...about,
  from_branch_id: Id.describe('ID of the previous branch. The current one until the change takes effect.'),
  from_department_id: Id,
  from_manager_id: Id.nullable(),
  to_branch_id: Id.nullable().describe('ID of the new branch. `null` if it stays unchanged.'),
  to_branch: NamedRow.nullable().optional(),
  to_department_id: Id.nullable(),
  to_department: NamedRow.nullable().optional(),
  to_manager_id: Id.nullable(),
  to_manager: EmployeeLabel.nullable().optional(),
  effective_date: Day,
  reason: z.string().nullable(),
  ...decided,
  allowed_actions: Actions(transferStates),
}).meta({ id: 'EmployeeTransfer' });

/** Transfer as commands return it. */
export const PlainTransfer = EmployeeTransfer.omit({
  employee: true,
  to_branch: true,
  to_department: true,
  to_manager: true,
}).meta({ id: 'PlainEmployeeTransfer' });

const own = ['status', 'effective_date', 'to_branch_id', 'to_department_id', 'to_manager_id', 'created_at'] as const;
const grammar = {
  sort: ['effective_date', 'created_at', 'updated_at'],
  order: '-created_at',
  expand: ['employee', 'to_branch', 'to_department', 'to_manager'],
} as const;

export const TransferFilter = list(EmployeeTransfer, {
  ...grammar,
  search: searchedEmployee,
  filter: ['employee_id', ...own],
});
export const OwnTransferFilter = list(EmployeeTransfer, { ...grammar, filter: own });

const places = {
  to_branch_id: refTo('branches').nullish(),
  to_department_id: refTo('departments').nullish(),
  to_manager_id: refTo('employees').nullish(),
};

export const TransferInput = input({
  ...aboutInput,
  ...places,
  effective_date: Day.describe('First day of the change, from the joining date to a year ahead.'),
  reason: Words.optional(),
});

export const TransferChanges = input({
  ...places,
  effective_date: Day.optional(),
  reason: Words.nullish(),
  version,
});

export type TransferInput = z.output<typeof TransferInput>;
export type TransferChanges = z.output<typeof TransferChanges>;
