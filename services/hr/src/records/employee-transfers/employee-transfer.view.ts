/** Views of transfers in lists and responses. */
import { raw } from '@suite/chassis/database';
import { type ListRequest, one, paginate, readOne } from '@suite/chassis/lists';
import { visibleToEmployee } from '../../employees/employee-records/employee-record.rules.ts';
import { listOwn, type RecordReader, recordView } from '../../employees/employee-records/employee-record.view.ts';
import { employeeLabels } from '../../employees/employees/employee-label.ts';
import { setupLabels } from '../../organisation/setup/setup-label.ts';
import { transferStates } from './employee-transfer.rules.ts';
import { EmployeeTransfer, PlainTransfer } from './employee-transfer.schema.ts';

const plainView = (context: RecordReader) => recordView(context, 'employee_transfers', transferStates);

function viewOf(context: RecordReader) {
  const { expand, ...view } = plainView(context);
  const { db } = context;
  return {
    ...view,
    expand: {
      ...expand,
      to_branch: one('to_branch_id', setupLabels(db, 'branches')),
      to_department: one('to_department_id', setupLabels(db, 'departments')),
      to_manager: one('to_manager_id', employeeLabels(db)),
    },
  };
}

/** Returns a page of the transfers that the caller can see. */
export const listTransfers = (context: RecordReader, request: ListRequest) =>
  paginate(context.db, request, viewOf(context));

/** Returns a page of the caller's own transfers. @throws NotAnEmployee */
export const listOwnTransfers = (context: RecordReader, request: ListRequest) =>
  listOwn(context, request, viewOf(context), { condition: raw(visibleToEmployee('employee_transfers')) });

/** Returns a transfer. @throws NotFound */
export const readTransfer = (context: RecordReader, id: string) =>
  readOne(context.db, EmployeeTransfer, id, viewOf(context));

/** Transfer as commands return it. */
export function readPlainTransfer(context: RecordReader, id: string) {
  const { expand: _, ...view } = plainView(context);
  return readOne(context.db, PlainTransfer, id, view);
}
