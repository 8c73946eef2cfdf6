/** The types of leave that somebody may take, and what he has of each. */
import { type Caller, invalid, sql } from '@suite/chassis';
import { daysFrom } from '@suite/wall-clock';
import { suits } from '../leave-applications/leave-request.ts';
import { figuresOf } from '../leave-balances/leave-balance.view.ts';
import { leaveToday, settleUntil } from '../leave-ledger/accounts.ts';
import { lastOf, yearOf } from '../leave-ledger/calendar.rules.ts';
import { type Holding, readAccounts, readHoldings } from '../leave-ledger/holdings.ts';
import type { Db } from '../operations.ts';
import { selfOf } from '../self/self.ts';
import type { OwnLeaveType } from './own-leave.schema.ts';
import type { z } from 'zod';

const DAYS_MAX = 731;

type Figures = { balance: ReturnType<typeof figuresOf>; projected_year_end: string | null };
type TypeRow = Omit<z.output<typeof OwnLeaveType>, keyof Figures> & {
  gender: string | null;
  employment_types: string[];
};

interface Person {
  employment_id: string;
  gender: string | null;
  employment_type: string;
}

/** The present employment of somebody, and what types of leave are for him. */
async function readPerson(db: Db, employee_id: string): Promise<Person> {
  const [person] = await db.rows<Person>(sql`
    SELECT gender, employment_type, (SELECT employments.id FROM employments
      WHERE employments.employee_id = employees.id ORDER BY joining_date DESC LIMIT 1) AS employment_id
    FROM employees WHERE id = ${employee_id}::uuid`);
  return person!;
}

/** Balances of accounts as of a day, and as of the last day of its year. */
async function balancesOf(
  db: Db,
  holdings: readonly Holding[],
  { today, day }: { today: string; day: string },
): Promise<Map<string, Figures>> {
  const accounts = await readAccounts(db, holdings);
  return new Map(
    holdings.map((holding, at) => {
      const account = accounts[at]!;
      settleUntil({ ...holding, account }, today);
      const { available } = figuresOf(account, holding, today, lastOf(yearOf(day)));
      return [
        holding.leave_type_id,
        { balance: figuresOf(account, holding, today, day), projected_year_end: available },
      ];
    }),
  );
}

/** The types that the caller may take, with his balances. @throws NotAnEmployee, a 422 for a day too far away */
export async function ownLeaveTypes(db: Db, caller: Caller, as_of: string | undefined) {
  const { id } = await selfOf(db, caller);
  const today = await leaveToday(db);
  const day = as_of ?? today;
  if (Math.abs(daysFrom(today, day)) > DAYS_MAX) throw invalid('as_of', 'Ask for a day at most two years away.');
  const person = await readPerson(db, id);
  const types = await db.rows<TypeRow>(sql`
    SELECT id, name, code, color, paid, allow_half_day, requires_reason, requires_document_after, min_notice_days, max_consecutive,
      gender, employment_types, (paid OR days_per_year > 0) AS limited
    FROM leave_types WHERE active ORDER BY name`);
  const own = types.filter((type) => suits(type, person));
  const holdings = await readHoldings(db, today, {
    employment_ids: [person.employment_id],
    leave_type_ids: own.map((type) => type.id),
  });
  const balances = await balancesOf(db, holdings, { today, day });
  return own.map((type) => ({ ...type, ...balances.get(type.id)! }));
}
