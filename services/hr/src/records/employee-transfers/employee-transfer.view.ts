/** Views of transfers in lists and responses. */
import { raw } from '@suite/chassis/database';
import { type ListRequest, one, paginate, readOne } from '@suite/chassis/lists';
import { visibleToEmployee } from '../../employees/employee-records/employee-record.rules.ts';
import { listOwn, type RecordReader, viewAbout } from '../../employees/employee-records/employee-record.view.ts';
import { employeeLabels } from '../../employees/employees/employee-label.ts';
import { setupLabels } from '../../organisation/setup/setup-label.ts';
import { transferStates } from './employee-transfer.rules.ts';
import { EmployeeTransfer, PlainTransfer } from './employee-transfer.schema.ts';

const plainView = (reader: RecordReader) => viewAbout(reader, 'employee_transfers', transferStates);

function viewOf(reader: RecordReader) {
  const { expand, ...view } = plainView(reader);
  const { db } = reader;
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
export const listTransfers = (reader: RecordReader, request: ListRequest) =>
  paginate(reader.db, request, viewOf(reader));

/** Returns a page of the caller's own transfers. @throws NotAnEmployee */
export const listOwnTransfers = (reader: RecordReader, request: ListRequest) =>
  listOwn(reader, request, viewOf(reader), { told: raw(visibleToEmployee('employee_transfers')) });

/** Returns a transfer. @throws NotFound */
export const readTransfer = (reader: RecordReader, id: string) =>
  readOne(reader.db, EmployeeTransfer, id, viewOf(reader));

/** Transfer as commands return it. */
export function readPlainTransfer(reader: RecordReader, id: string) {
  const { expand: _, ...view } = plainView(reader);
  return readOne(reader.db, PlainTransfer, id, view);
}
