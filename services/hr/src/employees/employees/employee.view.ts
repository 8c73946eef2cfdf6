/** Views of employees, with their stored current terms or the terms of another day. */
import { join, raw, type Sql, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { FileLinks } from '@suite/chassis/files';
import type { Caller, Keys } from '@suite/chassis/identity';
import { type Expansion, type ListRequest, many, one, paginate, readOne } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { userLabels } from '@suite/user-copies';
import type { z } from 'zod';
import { DATED, termsOn } from '../../employment/employment/employment-terms.ts';
import type { Db } from '../../operations.ts';
import { EmployeeChangeFilter } from '../../employment/employee-history/employee-change.schema.ts';
import { listChanges } from '../../employment/employee-history/employee-history.ts';
import { LeaveBalanceFilter } from '../../employment/leave-balances/leave-balance.schema.ts';
import { listBalances } from '../../employment/leave-balances/leave-balance.view.ts';
import { documentsIn } from '../../employment/employee-documents/document.ts';
import { setupLabels } from '../../organisation/setup/setup-label.ts';
import { employeeLabels } from './employee-label.ts';
import { assertMayReveal, encryptedFields } from './employee-encrypted-fields.ts';
import { employeeStates } from '../../employment/employment/employment.rules.ts';
import {
  Employee,
  EmployeeDetails,
  type EmployeeView,
  LABELS,
  PlainEmployee,
  revealedFields,
  ENCRYPTED,
} from './employee.schema.ts';

type EmployeeQuery = { [Name in keyof typeof EmployeeView]: z.output<(typeof EmployeeView)[Name]> };
/** Context for reading employees, with the keys of encrypted fields. */
export interface EmployeeReader {
  db: Db;
  caller: Caller;
  keys: Keys;
}

const COMPUTED = {
  birthday: sql`CASE WHEN employees.hide_birthday OR NOT (SELECT show_birthdays FROM settings) THEN NULL
    ELSE to_char(employees.dob, 'MM-DD') END`,
  allowed_actions: sql`NULL`,
};
const apart = new Set<string>([...LABELS, ...ENCRYPTED, ...Object.keys(COMPUTED)]);
const COLUMNS = ['workspace_id', ...Object.keys(Employee.shape).filter((name) => !apart.has(name))];

/** Returns the employees of a day, with their terms and employment dates on that day. */
function employedOn(day: string): Sql {
  const dated = new Set<string>(DATED);
  const spans = new Set(['joining_date', 'exit_date']);
  const columns = COLUMNS.map((name) =>
    raw(`${dated.has(name) ? 'terms' : spans.has(name) ? 'employments' : 'person'}.${name}`),
  );
  return sql`(
    SELECT ${join(columns)} FROM employees AS person
      JOIN employments ON employments.employee_id = person.id AND employments.joining_date <= ${day}::date
        AND (employments.exit_date IS NULL OR employments.exit_date >= ${day}::date)
      JOIN (${termsOn(day)}) AS terms ON terms.employee_id = person.id)`;
}

const SETUP = { branch: 'branches', department: 'departments', designation: 'designations', shift: 'shifts' } as const;

const expandLabel = (db: Db, name: keyof typeof SETUP): Expansion => one(`${name}_id`, setupLabels(db, SETUP[name]));

function employeeView({ db, caller, keys }: EmployeeReader, { as_of, reveal }: EmployeeQuery) {
  const revealed = revealedFields(reveal);
  assertMayReveal(caller, revealed);
  const day = as_of ?? today(caller.timezone);
  return {
    table: 'employees',
    ...(as_of !== undefined && { from: employedOn(as_of) }),
    compute: COMPUTED,
    revealed,
    expand: {
      branch: expandLabel(db, 'branch'),
      department: expandLabel(db, 'department'),
      designation: expandLabel(db, 'designation'),
      shift: expandLabel(db, 'shift'),
      manager: one('manager_id', employeeLabels(db)),
      user: one('user_id', userLabels(db)),
      ...encryptedFields(db, { caller, keys }, { revealed, day }),
    },
  };
}

interface EmployeeRow {
  user_id: string | null;
  status: string;
}

/** Adds the allowed actions. Employees have no actions on their own record. */
const withActions = <Row extends EmployeeRow>(caller: Caller, row: Row) => ({
  ...row,
  allowed_actions: row.user_id === caller.user_id ? [] : employeeStates.allowedTo(caller, row),
});

const REVEALED_MAX = 20;

/**
 * Lists the employees that the caller can see, one page. With the scope `team` these are the caller's team, without the
 * caller.
 */
export async function listEmployees(context: EmployeeReader, request: ListRequest<EmployeeQuery>) {
  const { revealed, ...view } = employeeView(context, request.also);
  if (revealed.size > 0 && request.per_page > REVEALED_MAX)
    throw invalid(
      'per_page',
      `Values of at most ${REVEALED_MAX} employees can be revealed at a time. Choose fewer employees.`,
    );
  const { caller, db } = context;
  const isLeader = caller.record_scopes['employee'] === 'team';
  const where = isLeader ? sql`employees.user_id IS DISTINCT FROM ${caller.user_id}::uuid` : sql`TRUE`;
  const expand = new Set([...request.expand, ...revealed]);
  const found = await paginate(db, { ...request, expand }, { ...view, where });
  return { ...found, rows: (found.rows as EmployeeRow[]).map((row) => withActions(caller, row)) };
}

const employmentsIn = (db: Db): Expansion =>
  many('employee_id', (ids) =>
    db.rows(sql`
      SELECT employee_id, id, joining_date, exit_date, exit_cause FROM employments
      WHERE employee_id = ANY(${ids}::uuid[]) ORDER BY joining_date`),
  );

/**
 * Expands the scheduled changes of terms, in date order. Salaries are encrypted, so only the day of a salary change is
 * included.
 */
const expandScheduledChanges = (db: Db, { timezone }: Caller): Expansion =>
  many('employee_id', (ids) =>
    db.rows(sql`
      SELECT * FROM (
        SELECT DISTINCT ON (employee_id, field, effective_from) employee_id, field, value, effective_from, cause
        FROM employee_history WHERE employee_id = ANY(${ids}::uuid[]) AND effective_from > ${today(timezone)}::date
          AND cause NOT IN ('joining', 'rehire')
        ORDER BY employee_id, field, effective_from, seq DESC) AS scheduled
      ORDER BY effective_from, field`),
  );

/** Maximum number of changes in an employee response. */
const CHANGES = { per_page: '100' };

/** Returns the parts of an employee that are loaded on demand. */
async function partsOf(context: EmployeeReader, id: string, expanded: ReadonlySet<string>, { as_of }: EmployeeQuery) {
  type DetailRows<Name extends 'history' | 'balances'> = NonNullable<z.input<typeof EmployeeDetails>[Name]>;
  const balances = { employee_id: id, per_page: '100', ...(as_of !== undefined && { as_of }) };
  return {
    ...(expanded.has('history') && {
      history: (await listChanges(context, id, EmployeeChangeFilter.parse(CHANGES))).rows as DetailRows<'history'>,
    }),
    ...(expanded.has('balances') && {
      balances: (await listBalances(context, LeaveBalanceFilter.parse(balances))).rows as DetailRows<'balances'>,
    }),
  };
}

/**
 * Returns an employee. @throws NotFound if the caller cannot see the employee or the employee is not employed on
 * the requested day
 */
export async function readEmployee(
  context: EmployeeReader & { links: FileLinks; expanded: ReadonlySet<string> },
  id: string,
  request: EmployeeQuery,
) {
  const { db, caller, links } = context;
  const { revealed: _, expand, ...view } = employeeView(context, request);
  const row = await readOne(db, EmployeeDetails, id, {
    ...view,
    expand: { ...expand, ...timeExpansions(db, caller), documents: documentsIn({ db, caller, links }) },
  });
  return { ...withActions(caller, row), ...(await partsOf(context, id, context.expanded, request)) };
}

const timeExpansions = (db: Db, caller: Caller) => ({
  employments: employmentsIn(db),
  scheduled_changes: expandScheduledChanges(db, caller),
});

/** Returns an employee as commands do, without decrypting any field. */
export async function readPlainEmployee(db: Db, caller: Caller, id: string) {
  const row = await readOne(db, PlainEmployee, id, {
    table: 'employees',
    compute: COMPUTED,
    expand: timeExpansions(db, caller),
  });
  return withActions(caller, row);
}
