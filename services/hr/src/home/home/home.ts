/** Home page of an employee, read with a fixed number of statements. */
import { sql, type Sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { dayAt, daysAfter } from '@suite/time-zones';
import type { z } from 'zod';
import { statusWithoutRecord } from '../../attendance/attendance/calendar.ts';
import { workDay } from '../../time/days/day.rules.ts';
import { readCompanyAndPeople } from '../../time/days/days.ts';
import type { Db } from '../../operations.ts';
import { ownBalances } from '../../leave/own-leave/own-leave-types.ts';
import { type CurrentEmployee, currentEmployee } from '../../employment/employee-users/current-employee.ts';
import type { Home } from './home.schema.ts';
import { holidaysAmong } from './own-holidays.ts';
import {
  announcementsOf,
  approvalsOf,
  attendanceOf,
  birthdays,
  dueAcknowledgments,
  leaveOn,
  leavesOn,
  payslipOf,
  requestsOf,
} from './home.view.ts';

type HomeResponse = z.input<typeof Home>;

type OpenSession = NonNullable<HomeResponse['open_session']>;

interface HomeFacts
  extends Pick<
    HomeResponse,
    'birthdays' | 'announcements' | 'acknowledgments_due' | 'pending_requests' | 'approvals_waiting' | 'last_payslip'
  > {
  attendance:
    | (Omit<HomeResponse['today'], 'shift' | 'on_leave' | 'leaves'> & {
        local_date: string;
        session: OpenSession | null;
      })
    | null;
  on_leave: HomeResponse['today']['on_leave'];
  leaves: HomeResponse['today']['leaves'];
}

/**
 * Reads the parts stored in tables, in one statement. @param present current day in the workspace zone, which leave
 * uses
 */
async function readFacts(db: Db, { id }: CurrentEmployee, today: string, present: string): Promise<HomeFacts> {
  const parts: Record<keyof HomeFacts, Sql> = {
    attendance: attendanceOf(id, today),
    on_leave: leaveOn(id, today),
    leaves: leavesOn(id, today),
    birthdays: birthdays(present),
    announcements: announcementsOf(id),
    acknowledgments_due: dueAcknowledgments(id),
    pending_requests: requestsOf(id),
    approvals_waiting: approvalsOf(id, present),
    last_payslip: payslipOf(id),
  };
  const [facts] = await db.rows<HomeFacts>(sql`
    SELECT (${parts.attendance}) AS attendance, (${parts.on_leave}) AS on_leave, (${parts.leaves}) AS leaves,
      (${parts.birthdays}) AS birthdays, (${parts.announcements}) AS announcements, (${parts.acknowledgments_due}) AS acknowledgments_due,
      (${parts.pending_requests}) AS pending_requests, (${parts.approvals_waiting}) AS approvals_waiting, (${parts.last_payslip}) AS last_payslip`);
  return facts!;
}

/** Returns the balances of an employee, by the same rule as `hrm/get-leaves-types`. */
async function balancesOf(db: Db, { id }: CurrentEmployee, today: string): Promise<HomeResponse['balances']> {
  const types = await ownBalances(db, id, { today, day: today });
  return types.map(({ id: leave_type_id, code, name, color, balance: { available, taken: takenDays, pending } }) => ({
    leave_type_id,
    code,
    name,
    color,
    available,
    taken: takenDays,
    pending,
  }));
}

const NEXT_HOLIDAYS = 5;
const YEAR = 365;

/** Returns the caller's HR dashboard. @throws NotAnEmployee */
export async function ownHome(db: Db, caller: Caller): Promise<HomeResponse> {
  const self = await currentEmployee(db, caller);
  const present = dayAt(clock.now().getTime(), self.timezone);
  const span = { from: daysAfter(present, -1), to: daysAfter(present, YEAR) };
  const { company, people } = await readCompanyAndPeople(db, span, [self.id]);
  const person = people.get(self.id)!;
  // The current day depends on the time zone of the shift.
  const zone = workDay(company, person, present).terms?.timezone ?? self.timezone;
  const today = dayAt(clock.now().getTime(), zone);
  const { attendance, on_leave, leaves, ...facts } = await readFacts(db, self, today, present);
  const local_date = attendance?.local_date ?? today;
  const day = workDay(company, person, local_date);
  const { terms } = day;
  const { session = null, ...recorded } = attendance ?? {};
  const { id, code, name } = self;
  return {
    employee: { id, code, name },
    today: {
      local_date,
      status: attendance ? null : statusWithoutRecord(company, person, day),
      state: null,
      first_in: null,
      worked_minutes: 0,
      ...recorded,
      shift: terms && { start: terms.start, end: terms.end, timezone: terms.timezone },
      on_leave,
      leaves,
    },
    open_session: session,
    balances: await balancesOf(db, self, present),
    next_holidays: holidaysAmong(company, person, present, span.to).slice(0, NEXT_HOLIDAYS),
    ...facts,
  };
}
