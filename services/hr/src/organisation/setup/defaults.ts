/** Default records of a new workspace, so that its first employee can be created immediately. */
import { sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';

const DEPARTMENTS: Readonly<Record<string, readonly string[]>> = {
  Management: ['Managing director'],
  Sales: ['Sales representative'],
  Operations: ['Operator'],
  Finance: ['Accountant'],
  'Human resources': ['HR officer'],
};
const DOCUMENT_TYPES = ['Employment contract', 'Proof of identity', 'Certificate'];

const OFFICE_HOURS = {
  name: 'Office',
  start: '09:00',
  end: '17:30',
  break_minutes: 30,
  // Less than four hours of work counts as half a day, less than two as an absence.
  half_day_below_minutes: 240,
  absent_below_minutes: 120,
  days: [1, 2, 3, 4, 5],
  is_default: true,
};

const LEAVE_TYPES = [
  { name: 'Annual leave', code: 'annual', days_per_year: 25, accrual: 'monthly', plan_ahead: true },
  { name: 'Sick leave', code: 'sick', days_per_year: 10, requires_document_after: 3 },
  { name: 'Unpaid leave', code: 'unpaid', paid: false },
];

/** Creates the settings of a workspace with their defaults, and the initial records, unless they exist. */
export async function provideSetup(db: Db, timezone: string): Promise<void> {
  await db.settings.createMany({ data: [{ timezone }], skipDuplicates: true });
  if ((await db.branch.count()) > 0) return;
  const { id: branch_id } = await db.branch.create({ data: { name: 'Main' } });
  for (const [name, titles] of Object.entries(DEPARTMENTS)) {
    const { id: department_id } = await db.department.create({ data: { name, branch_id } });
    await db.designation.createMany({ data: titles.map((title) => ({ name: title, department_id })) });
  }
  await db.documentType.createMany({ data: DOCUMENT_TYPES.map((name) => ({ name })) });
  const { id: shift_id } = await db.shift.create({ data: { ...OFFICE_HOURS, timezone } });
  await db.rows(sql`
    INSERT INTO shift_versions (id, shift_id, effective_from, seq, terms) SELECT gen_random_uuid(), id, '0001-01-01', 1,
      to_jsonb(shifts) - ARRAY['id', 'workspace_id', 'name', 'search', 'is_default', 'active', 'created_by', 'updated_by',
        'created_at', 'updated_at', 'version']
    FROM shifts WHERE id = ${shift_id}::uuid`);
  await db.holidayCalendar.create({ data: { name: 'Holidays', is_default: true } });
  await db.leaveType.createMany({ data: LEAVE_TYPES });
}
