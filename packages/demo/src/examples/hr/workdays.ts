/**
 * Factories for working days, and their example calls. `$holiday_calendar` is the ID of a shared record, and
 * `$holiday_calendar!` the ID of a record created for the call.
 */
import type { ExampleCall, ExampleFactory } from '../recorder/recorder.ts';

const calendar: ExampleFactory = (recorder, serial) =>
  recorder.call('holidayCalendars.create', { body: { name: `Holidays of place ${serial}` } });

const holiday: ExampleFactory = (recorder, serial) =>
  recorder.call('holidays.create', { body: { name: `Founding day ${serial}`, from: '2027-05-11' } });

const device: ExampleFactory = (recorder, serial) =>
  recorder.call('attendanceDevices.create', { body: { name: `Gate ${serial}` } });

export const workdays = { holiday_calendar: calendar, holiday, attendance_device: device } satisfies Record<
  string,
  ExampleFactory
>;

const HOLIDAYS = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Example//Holidays//EN',
  'BEGIN:VEVENT',
  'UID:1@example.com',
  'SUMMARY:Whit Monday',
  'DTSTART;VALUE=DATE:20270517',
  'DTEND;VALUE=DATE:20270518',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

export const workdayCalls = {
  'hrmSettings.update': {
    body: { geofences: [{ name: 'Quay', lat: 53.5413, lng: 9.9841, radius_m: 250 }], overtime_factor: '1.25' },
  },
  'holidayCalendars.create': { body: { name: 'Hamburg', branch_id: '$branch!' } },
  'holidayCalendars.update': { path: { id: '$holiday_calendar!' }, body: { name: 'Hamburg and Bremen' } },
  'holidayCalendars.remove': { path: { id: '$holiday_calendar!' } },
  'holidays.create': { body: { name: 'Between the years', from: '2027-12-27', to: '2027-12-31' } },
  'holidays.update': { path: { id: '$holiday!' }, body: { paid: false } },
  'holidays.remove': { path: { id: '$holiday!' } },
  'holidays.importAll': {
    path: { id: '$holiday_calendar' },
    file: { name: 'holidays.ics', type: 'text/calendar', text: HOLIDAYS },
  },
  'attendanceDevices.create': { body: { name: 'North gate', timezone: 'Europe/Berlin' } },
  'attendanceDevices.update': { path: { id: '$attendance_device!' }, body: { name: 'South gate' } },
  'attendanceDevices.remove': { path: { id: '$attendance_device!' } },
  'attendanceDevices.push': {
    as: '',
    path: { device_token: '$attendance_device!.token' },
    body: { rows: [{ employee_code: 'EMP-00001', at: '2026-06-10T09:00:00', type: 'in' }] },
  },
  'attendanceImport.importLog': {
    file: {
      name: 'log.csv',
      type: 'text/csv',
      text: 'employee_code,at,type,device_id\nEMP-00001,2026-06-10T09:00:00+02:00,in,gate\n',
    },
  },
} satisfies Record<string, ExampleCall>;
