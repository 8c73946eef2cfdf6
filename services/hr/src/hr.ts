import { service } from '@suite/chassis';
import { userFollowers } from '@suite/users';
import * as attendances from './attendance/attendances.api.ts';
import * as attendanceDevices from './attendance-devices/devices.api.ts';
import * as attendanceImport from './attendance-import/attendance-import.api.ts';
import { closeDueDays } from './attendance-jobs/close-days.ts';
import { markDueAbsences } from './attendance-jobs/mark-absences.ts';
import * as branches from './branches/branches.api.ts';
import * as holidayCalendars from './calendars/calendars.api.ts';
import * as clocking from './clocking/clocking.api.ts';
import { recountDays } from './consumers/hr.holiday-calendar-changed.ts';
import { forgetUser } from './consumers/platform.user-deleted.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import * as departments from './departments/departments.api.ts';
import * as designations from './designations/designations.api.ts';
import * as documentTypes from './document-types/document-types.api.ts';
import * as employeeHistory from './employee-history/employee-history.api.ts';
import * as employeeStatus from './employee-status/employee-status.api.ts';
import * as employees from './employees/employees.api.ts';
import { keepEffectiveDates } from './employment/effective-dates.ts';
import { employeeStates } from './employment/employment.rules.ts';
import { PrismaClient } from './generated/client.ts';
import * as holidays from './holidays/holidays.api.ts';
import * as leaveTypes from './leave-types/leave-types.api.ts';
import { calls, on } from './operations.ts';
import * as sensitiveAccesses from './sensitive-accesses/sensitive-accesses.api.ts';
import * as hrmSettings from './settings/settings.api.ts';
import * as shifts from './shifts/shifts.api.ts';
import { whoSeesWhat } from './visibility.ts';

/** People and where, when and as what they work. */
export const hr = service({
  name: 'hr',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: whoSeesWhat,
  operations: {
    branches,
    departments,
    designations,
    documentTypes,
    leaveTypes,
    shifts,
    hrmSettings,
    holidayCalendars,
    holidays,
    attendances,
    clocking,
    attendanceImport,
    attendanceDevices,
    employees,
    employeeStatus,
    employeeHistory,
    sensitiveAccesses,
  },
  consumers: [openWorkspace, ...userFollowers(on, 'hr'), forgetUser, recountDays],
  lifecycles: [employeeStates],
  schedules: [keepEffectiveDates(), closeDueDays, markDueAbsences],
  calls,
});
