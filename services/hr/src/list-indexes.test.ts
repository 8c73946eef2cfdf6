import { listIndexes, start } from '@suite/testing';
import { hr } from './hr.ts';

listIndexes({
  contents: hr,
  serving: await start(hr),
  small: [
    'branches',
    'departments',
    'designations',
    'document_types',
    'leave_types',
    'leave_calendar_links',
    'shifts',
    'holiday_calendars',
    'holidays',
    'attendance_devices',
    'salary_components',
  ],
});
