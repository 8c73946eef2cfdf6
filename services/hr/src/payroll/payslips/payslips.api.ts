/** Payslips of employees, with the calculation of each amount. */
import { idOf } from '@suite/chassis/fields';
import { ok, page, anyUser } from '@suite/chassis/operations';
import { printFaults } from '@suite/pdf';
import { query } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import { createPayslipPdf } from './payslip-pdf.ts';
import { OwnPayslip, OwnPayslipFilter, Payslip } from './payslip.schema.ts';
import { listOwnPayslips, readPayslip, auditPayslip } from './payslip.view.ts';

export const show = query('GET /api/payslip/{payroll_entry_id}', {
  summary: 'Get a payslip',
  description:
    'Returns a payslip: your own once final. Payslips of others require `payroll.view` and `employee.salary`, and the access is logged. Send `Accept: application/pdf` to get a PDF.',
  access: anyUser,
  params: { payroll_entry_id: idOf('payroll_entries') },
  reply: ok(Payslip),
  faults: printFaults,
  handle: ({ params, ...context }) => readPayslip(context, params.payroll_entry_id),
  auditAccess: auditPayslip,
  formats: { pdf: createPayslipPdf },
});

export const mine = query('GET /api/hrm/payslips', {
  summary: 'List your payslips',
  description: 'Returns your final payslips. Payslips of runs before approval are not included.',
  addition: 'Employees view their own payslips, without permission to list the payslips of a run.',
  access: employeesOnly,
  query: OwnPayslipFilter,
  reply: page(OwnPayslip),
  faults: [NotAnEmployee],
  handle: ({ query, ...context }) => listOwnPayslips(context, query),
});
