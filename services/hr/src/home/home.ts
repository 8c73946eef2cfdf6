/** The first page of somebody at work, in a few statements however much there is. */
import { type Caller, clock, sql, type Sql } from '@suite/chassis';
import { dayAt, daysAfter } from '@suite/wall-clock';
import type { z } from 'zod';
import { workDay } from '../days/day.rules.ts';
import { readCompanyAndPeople } from '../days/days.ts';
import { balanceAsOf } from '../leave-ledger/balance.rules.ts';
import { daysText } from '../leave-ledger/holder.rules.ts';
import { readAccounts, readHoldings } from '../leave-ledger/holdings.ts';
import { settle } from '../leave-ledger/settlement.rules.ts';
import type { Db } from '../operations.ts';
import { NotAnEmployee } from '../self/self.ts';
import type { Home } from './home.schema.ts';
import { holidaysAmong } from './own-holidays.ts';
import {
  announcementsOf,
  approvalsOf,
  attendanceOf,
  birthdays,
  dueOf,
  leaveOn,
  payslipOf,
  requestsOf,
  typesOf,
} from './home.view.ts';

type Answer = z.input<typeof Home>;

interface Self {
  id: string;
  code: string;
  name: string;
  employment_id: string | null;
  timezone: string;
}

/** The caller among those who are employed, with his employment and the zone of the workspace. @throws NotAnEmployee */
async function readSelf(db: Db, { user_id }: Caller): Promise<Self> {
  const [self] = await db.rows<Self>(sql`
    SELECT employees.id, code, name, (SELECT timezone FROM settings) AS timezone, (
      SELECT employments.id FROM employments WHERE employments.employee_id = employees.id ORDER BY joining_date DESC LIMIT 1) AS employment_id
    FROM employees WHERE user_id = ${user_id}::uuid AND status <> 'left'`);
  if (!self) throw NotAnEmployee();
  return self;
}

type Session = NonNullable<Answer['open_session']>;
type LeaveTypeLabel = Pick<Answer['balances'][number], 'leave_type_id' | 'code' | 'name' | 'color'>;

interface Facts
  extends Pick<
    Answer,
    'birthdays' | 'announcements' | 'acknowledgments_due' | 'pending_requests' | 'approvals_waiting' | 'last_payslip'
  > {
  attendance: (Omit<Answer['today'], 'shift' | 'on_leave'> & { local_date: string; session: Session | null }) | null;
  on_leave: Answer['today']['on_leave'];
  types: LeaveTypeLabel[];
}

/** Reads all that lies in tables as it is shown, in one statement. */
async function readFacts(db: Db, { id }: Self, today: string): Promise<Facts> {
  const parts: Record<keyof Facts, Sql> = {
    attendance: attendanceOf(id, today),
    on_leave: leaveOn(id, today),
    types: typesOf(id),
    birthdays: birthdays(today),
    announcements: announcementsOf(id),
    acknowledgments_due: dueOf(id),
    pending_requests: requestsOf(id),
    approvals_waiting: approvalsOf(id, today),
    last_payslip: payslipOf(id),
  };
  const [facts] = await db.rows<Facts>(sql`
    SELECT (${parts.attendance}) AS attendance, (${parts.on_leave}) AS on_leave, (${parts.types}) AS types,
      (${parts.birthdays}) AS birthdays, (${parts.announcements}) AS announcements, (${parts.acknowledgments_due}) AS acknowledgments_due,
      (${parts.pending_requests}) AS pending_requests, (${parts.approvals_waiting}) AS approvals_waiting, (${parts.last_payslip}) AS last_payslip`);
  return facts!;
}

/** The balances of somebody, of the types of leave that he may take. */
async function balancesOf(
  db: Db,
  { employment_id }: Self,
  types: readonly LeaveTypeLabel[],
  today: string,
): Promise<Answer['balances']> {
  if (!employment_id || types.length === 0) return [];
  const ids = types.map(({ leave_type_id }) => leave_type_id);
  const holdings = await readHoldings(db, today, { employment_ids: [employment_id], leave_type_ids: ids });
  const accounts = await readAccounts(db, holdings);
  const figures = new Map(
    holdings.map(({ leave_type_id, holder, limited }, at) => {
      const account = accounts[at]!;
      settle(account, holder, { until: today });
      const { available, taken, pending } = balanceAsOf(account, holder, today, today);
      return [
        leave_type_id,
        { available: limited ? daysText(available) : null, taken: daysText(taken), pending: daysText(pending) },
      ] as const;
    }),
  );
  return types.map((type) => ({ ...type, ...figures.get(type.leave_type_id)! }));
}

const NEXT_HOLIDAYS = 5;
const YEAR = 365;

/** The caller's home. @throws NotAnEmployee */
export async function ownHome(db: Db, caller: Caller): Promise<Answer> {
  const self = await readSelf(db, caller);
  const present = dayAt(clock.now().getTime(), self.timezone);
  const span = { from: daysAfter(present, -1), to: daysAfter(present, YEAR) };
  const { company, people } = await readCompanyAndPeople(db, span, [self.id]);
  const person = people.get(self.id)!;
  // His day is that of the clocks where he works.
  const zone = workDay(company, person, present).terms?.timezone ?? self.timezone;
  const { attendance, on_leave, types, ...facts } = await readFacts(db, self, dayAt(clock.now().getTime(), zone));
  const local_date = attendance?.local_date ?? dayAt(clock.now().getTime(), zone);
  const { kind, terms } = workDay(company, person, local_date);
  const { session = null, ...recorded } = attendance ?? {};
  const { id, code, name } = self;
  return {
    employee: { id, code, name },
    today: {
      local_date,
      status: kind === 'holiday' || kind === 'weekly_off' ? kind : null,
      state: null,
      first_in: null,
      worked_minutes: 0,
      ...recorded,
      shift: terms && { start: terms.start, end: terms.end, timezone: terms.timezone },
      on_leave,
    },
    open_session: session,
    balances: await balancesOf(db, self, types, present),
    next_holidays: holidaysAmong(company, person, present, span.to).slice(0, NEXT_HOLIDAYS),
    ...facts,
  };
}
