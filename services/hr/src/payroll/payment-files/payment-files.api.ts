/** Payment files for the bank. They contain bank accounts in full and are encrypted. */
import { sql } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { readOne } from '@suite/chassis/lists';
import { withPermission, can, ok, fileOf } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { payrollStates } from '../payrolls/payroll.rules.ts';
import { recordAccess } from '../../organisation/sensitive-accesses/sensitive-access.ts';
import { BankMissing, type DownloadedFile, makeFile, NothingToPay, openFile, prepareFile } from './payment-file.ts';
import { PaymentFile, PaymentFileInput } from './payment-file.schema.ts';

const ADDITION = 'The specification only reads runs and payslips: without these, payroll could not pay employees.';

export const make = command('POST /api/payroll/payment-file/{payroll_id}', {
  summary: 'Create a payment file',
  description:
    'Creates a file for the bank with all unpaid payslips. Excludes withheld payslips and payslips of zero. Identical content returns the same file. Returns `bank_missing` if an employee has no bank account.',
  addition: ADDITION,
  access: payrollStates.can('make_payment_file'),
  params: { payroll_id: idOf('payrolls') },
  body: PaymentFileInput,
  reply: ok(PaymentFile),
  faults: [BankMissing, NothingToPay],
  prepare: ({ params, body, ...context }) => prepareFile(context, params.payroll_id, body),
  async handle({ params, body, prepared, request, ...context }) {
    const id = await makeFile({ ...context, request_id: request.id }, params.payroll_id, prepared, body);
    const file = sql`'/api/payroll/payment-files/' || payment_files.id`;
    return await readOne(context.db, PaymentFile, id, { table: 'payment_files', compute: { file } });
  },
});

export const get = query('GET /api/payroll/payment-files/{payment_file_id}', {
  summary: 'Get a payment file',
  description: 'Returns a payment file with its content for the bank. Access to the bank accounts is logged.',
  addition: ADDITION,
  access: withPermission(can('payroll.pay'), 'employee.bank'),
  params: { payment_file_id: idOf('payment_files') },
  reply: fileOf('application/xml', 'text/csv'),
  handle: ({ params, ...context }) => openFile(context, params.payment_file_id),
  auditAccess: ({ value, caller, request, write }) =>
    recordAccess(
      write,
      { caller, request_id: request.id },
      (value as DownloadedFile).employee_ids.map((employee_id) => ({ employee_id, fields: ['bank'] })),
    ),
});
