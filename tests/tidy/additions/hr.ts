const setup =
  'the specification only reads where, when and as what people work: without these nobody could say what it is in his company';

const settings =
  'four eyes, what a salary is divided by, and from where people clock in are a choice of each workspace';

const fromElsewhere = 'authorities give their holidays out as calendars: nobody types them in';

const states =
  'people are suspended, are on leave for long, leave and come back: nothing in the specification says so of them, and payroll needs it';

const history = 'terms hold from a day on: nobody could explain a payslip without what they were';

const watched = 'somebody must be able to see who has read what is sensitive';
const published =
  'the specification only lists what is published: without these nobody could write it, publish it and read the whole of it';
const machines =
  'people clock in at machines, whose logs come as files, or are pushed by an address that nobody can guess';

const approving =
  'line managers decide on the leave of their people without any right of administration, and somebody stands in for whoever is away';

const ownLeave = 'people change their minds: the specification only lets them ask';

const calendar = 'whoever plans work must see who is away, in his own calendar program, too';

const byHand =
  'days are brought along, given for a reason and paid out: the specification lists balances, and nothing that changes them';
const paying = 'the specification only reads runs and payslips: without these nobody would be paid';
const ownPay = 'people look at their own payslips, and may not list those of a run';
const records =
  'the specification only lists records about people: without these there would be none, and nobody could decide on them';
const ownRecords = 'who may not list records sees those about himself all the same, and no others';
const told = 'somebody who is told of a record by its id, such as in a mail, sees it without the list';
const salaries =
  'a payslip is computed by components, packs of them and loans: without these nobody could say what people are paid';
const own = 'people see what is kept about them, and keep it right; what is sensitive somebody else confirms';

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
  'POST /api/hrm/resignation-withdraw/{id}': 'who resigns may think better of it until somebody has decided',
  'POST /api/hrm/warning-acknowledge/{id}': records,
  'POST /api/hrm/complaint': records,
  'GET /api/hrm/complaint/{complaint_id}': 'no list has what somebody has filed anonymously: he finds it by its id',
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
  'POST /api/acknowledgment/remind/{id}':
    'whoever does not read what he must is reminded of it, and not only by the clock',
  'POST /api/hrm/acknowledge/{acknowledgment_id}': 'only the person himself can say that he has read something',
  'POST /api/attendance/import': machines,
  'POST /api/attendance/device/{device_token}': machines,
  'GET /api/attendance-devices': machines,
  'POST /api/attendance-device/create': machines,
  'POST /api/attendance-device/update/{id}': machines,
  'DELETE /api/attendance-device/delete/{id}': machines,
  'GET /api/attendance/month': 'a list of days tells nothing of the days without a record',
  'GET /api/hrm/approvals': approving,
  'POST /api/hrm/approvals/{leaveapplication_id}': approving,
  'POST /api/hrm/deputy': approving,
  'POST /api/hrm/leave-update/{leaveapplication_id}': ownLeave,
  'POST /api/hrm/leave-cancel/{leaveapplication_id}': ownLeave,
  'GET /api/leave-application/file/{token}':
    'where the signed links of documents lead: a link carries its own right, for a quarter of an hour',
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
  'GET /api/leave-ledger': 'nobody could explain a balance without the lines that it is the sum of',
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
  'POST /api/employee/erase/{id}': 'who has left is forgotten when the law asks for it',
  'GET /api/employee-change-requests': own,
  'POST /api/employee/confirm-change/{id}': own,
  'POST /api/hrm/profile': own,
  'GET /api/hrm/my-data': own,
};
