const setup =
  'the specification only reads where, when and as what people work: without these nobody could say what it is in his company';

const settings =
  'four eyes, what a salary is divided by, and from where people clock in are a choice of each workspace';

const fromElsewhere = 'authorities give their holidays out as calendars: nobody types them in';

const states =
  'people are suspended, are on leave for long, leave and come back: nothing in the specification says so of them, and payroll needs it';

const history = 'terms hold from a day on: nobody could explain a payslip without what they were';

const watched = 'somebody must be able to see who has read what is sensitive';
const machines =
  'people clock in at machines, whose logs come as files, or are pushed by an address that nobody can guess';

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
  'POST /api/attendance/import': machines,
  'POST /api/attendance/device/{device_token}': machines,
  'GET /api/attendance-devices': machines,
  'POST /api/attendance-device/create': machines,
  'POST /api/attendance-device/update/{id}': machines,
  'DELETE /api/attendance-device/delete/{id}': machines,
  'GET /api/attendance/month': 'a list of days tells nothing of the days without a record',
  'GET /api/holiday-calendars': setup,
  'POST /api/holiday-calendar/import/{id}': fromElsewhere,
  'GET /api/hrm-settings': settings,
  'POST /api/hrm-settings/update': settings,
  'GET /api/employee/history/{id}': history,
  'GET /api/sensitive-accesses': watched,
  'POST /api/employee/update-status/{id}': states,
  'POST /api/employee/end-employment/{id}': states,
  'POST /api/employee/continue-employment/{id}': states,
  'POST /api/employee/rehire/{id}': states,
};
