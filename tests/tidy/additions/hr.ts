const setup =
  'the specification only reads employment and working-time data: without these, a company could not set up its own';

const settings = 'each workspace configures dual approval, the salary divisor and the places for clocking in';

const fromElsewhere = 'authorities publish holidays as calendars, which are better imported than typed';

const states =
  'employees are suspended, on long leave, leave and return: the specification lacks these states, and payroll needs them';

const history = 'employment terms apply from a day on: without their history, a payslip cannot be explained';

const watched = 'accesses to sensitive data must be auditable';
const published =
  'the specification only lists published records: without these, they could not be written, published and read in full';
const machines = 'employees clock in at devices, whose logs arrive as files, or are pushed to an unguessable address';

const approving =
  'managers decide on leave of their team without administrator permissions, and deputies replace absent managers';

const ownLeave = 'employees can change their requests: the specification only lets them create requests';

const calendar = 'users who plan work must see absences, also in their own calendar program';

const byHand = 'leave days are carried over, granted and paid out: the specification only lists balances';
const paying = 'the specification only reads runs and payslips: without these, payroll could not pay employees';
const ownPay = 'employees view their own payslips, without permission to list the payslips of a run';
const records = 'the specification only lists HR records: without these, no records and no decisions would exist';
const ownRecords = 'employees without permission to list records still see their own records, and no others';
const told = 'a user who gets the ID of a record, for example by e-mail, can view it without the list';
const salaries =
  'a payslip is computed from components, component packs and loans: without these, pay could not be defined';
const own = 'employees view and correct their own data, and sensitive changes need confirmation by another user';

/** Routes of hr that the specification does not list, each with its reason. */
export const ofHr: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'branch',
      'department',
      'designation',
      'document-type',
      'shift',
      'leave-type',
      'holiday',
      'holiday-calendar',
    ].flatMap((noun) => [
      [`POST /api/${noun}/create`, setup],
      [`POST /api/${noun}/update/{id}`, setup],
      [`DELETE /api/${noun}/delete/{id}`, setup],
    ]),
  ),
  ...Object.fromEntries(
    ['award', 'promotion', 'employee-transfer', 'resignation', 'termination', 'warning', 'complaint'].flatMap(
      (noun) => [
        [`POST /api/${noun}/create`, records],
        [`POST /api/${noun}/update/{id}`, records],
        [`DELETE /api/${noun}/delete/{id}`, records],
        [`GET /api/${noun}/show/{id}`, told],
        [`GET /api/hrm/${noun}s`, ownRecords],
        ...(noun === 'award' ? [] : [[`POST /api/${noun}/update-status/{id}`, records]]),
      ],
    ),
  ),
  'POST /api/hrm/resignation': records,
  'POST /api/hrm/resignation-withdraw/{id}': 'an employee may withdraw a resignation until it has been decided on',
  'POST /api/hrm/warning-acknowledge/{id}': records,
  'POST /api/hrm/complaint': records,
  'GET /api/hrm/complaint/{complaint_id}': 'anonymous complaints are in no list: the author finds theirs by its ID',
  ...Object.fromEntries(
    ['announcement', 'hrm-document', 'event'].flatMap((noun) => [
      [`GET /api/${noun}/show/{id}`, published],
      [`POST /api/${noun}/create`, published],
      [`POST /api/${noun}/update/{id}`, published],
      [`POST /api/${noun}/update-status/{id}`, published],
      [`DELETE /api/${noun}/delete/{id}`, published],
    ]),
  ),
  'GET /api/hrm-document/download/{token}': published,
  'POST /api/acknowledgment/remind/{id}': 'employees who miss a required acknowledgment are reminded, also on demand',
  'POST /api/hrm/acknowledge/{acknowledgment_id}': 'only the employee can confirm that they have read a document',
  'POST /api/attendance/import': machines,
  'POST /api/attendance/device/{device_token}': machines,
  'GET /api/attendance-devices': machines,
  'POST /api/attendance-device/create': machines,
  'POST /api/attendance-device/update/{id}': machines,
  'DELETE /api/attendance-device/delete/{id}': machines,
  'GET /api/attendance/month': 'a list of attendance days lacks the days without a record',
  'GET /api/hrm/approvals': approving,
  'POST /api/hrm/approvals/{leaveapplication_id}': approving,
  'POST /api/hrm/deputy': approving,
  'POST /api/hrm/leave-update/{leaveapplication_id}': ownLeave,
  'POST /api/hrm/leave-cancel/{leaveapplication_id}': ownLeave,
  'GET /api/leave-application/file/{token}':
    'target of signed document links: a link needs no token and expires after 15 minutes',
  'GET /api/leave-calendar': calendar,
  'GET /api/leave-calendar/{token}': calendar,
  'GET /api/leave-calendar-links': calendar,
  'POST /api/leave-calendar-link/create': calendar,
  'DELETE /api/leave-calendar-link/delete/{id}': calendar,
  'GET /api/holiday-calendars': setup,
  'POST /api/holiday-calendar/import/{id}': fromElsewhere,
  'GET /api/hrm-settings': settings,
  'POST /api/hrm-settings/update': settings,
  'GET /api/employee/history/{id}': history,
  'GET /api/leave-ledger': 'a balance cannot be explained without its ledger entries',
  'POST /api/leave-balance/adjust': byHand,
  'POST /api/leave-balance/encash': byHand,
  'GET /api/sensitive-accesses': watched,
  'GET /api/payroll/entries/{payroll_id}': paying,
  'POST /api/payroll/create': paying,
  'POST /api/payroll/update/{payroll_id}': paying,
  'DELETE /api/payroll/delete/{payroll_id}': paying,
  'POST /api/payroll/run/{payroll_id}': paying,
  'POST /api/payroll/cancel/{payroll_id}': paying,
  'POST /api/payroll/approve/{payroll_id}': paying,
  'POST /api/payroll/payment-file/{payroll_id}': paying,
  'GET /api/payroll/payment-files/{payment_file_id}': paying,
  'POST /api/payroll/pay/{payroll_id}': paying,
  'POST /api/payroll/reverse/{payroll_id}': paying,
  'POST /api/payslip/withhold/{payroll_entry_id}': paying,
  'POST /api/payslip/release/{payroll_entry_id}': paying,
  'GET /api/hrm/payslips': ownPay,
  'POST /api/employee/update-status/{id}': states,
  'POST /api/employee/end-employment/{id}': states,
  'POST /api/employee/continue-employment/{id}': states,
  'POST /api/employee/rehire/{id}': states,
  'GET /api/salary-components': salaries,
  'POST /api/salary-component/create': salaries,
  'POST /api/salary-component/update/{id}': salaries,
  'DELETE /api/salary-component/delete/{id}': salaries,
  'POST /api/salary-component/check': salaries,
  'GET /api/payroll-packs': salaries,
  'POST /api/payroll-pack/install': salaries,
  'GET /api/employee-loans': salaries,
  'POST /api/employee-loan/create': salaries,
  'POST /api/employee-loan/cancel/{id}': salaries,
  'POST /api/employee/document/{id}': own,
  'DELETE /api/employee/document/{id}/{document_id}': own,
  'GET /api/employee/document/download/{token}': own,
  'POST /api/employee/erase/{id}': 'data of former employees is erased when the law requires it',
  'GET /api/employee-change-requests': own,
  'POST /api/employee/confirm-change/{id}': own,
  'POST /api/hrm/profile': own,
  'GET /api/hrm/my-data': own,
};
