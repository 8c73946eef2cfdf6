/** Demo workspace: locations, working hours, jobs and employees. Created once for each workspace. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@suite/chassis/database';
import type { MasterKeys } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import type { DemoWorkspace } from '@suite/demo';
import { upsertUserProfile } from '@suite/user-copies';
import type { Db } from '../operations.ts';
import { createBranch } from '../organisation/branches/branch.ts';
import { installPack } from '../payroll/payroll-packs/pack.ts';
import { provideSetup } from '../organisation/setup/defaults.ts';
import { createShift } from '../time/shifts/shift.ts';
import { ShiftInput } from '../time/shifts/shift.schema.ts';
import { callerOf, employPeople } from './staff.ts';
import { provideHolidays } from './public-holidays.ts';
import { writeNotices } from './notices.ts';
import { writeRecords } from './staff-records.ts';

/** Number of employees in the first workspace, and in each further one. */
const [LARGE, SMALL] = [30, 8];
const ZONE = 'Europe/Berlin';
const NIGHT = { name: 'Night', start: '22:00', end: '06:00', break_minutes: 30, days: [1, 2, 3, 4, 5], is_night: true };

/**
 * Creates the initial data of a workspace and the copies of its users. Newer copies from platform events are preserved.
 */
async function prepare(db: Db, { users }: DemoWorkspace): Promise<void> {
  for (const { id: user_id, name, email, kind } of users) {
    await upsertUserProfile(db, { user_id, name, email, kind, phone: '', status: 'active' }, 0);
  }
  await provideSetup(db, ZONE);
  await installPack(db, { timezone: ZONE }, 'flat');
}

/** Adds the remaining demo data. Returns true if the data was missing. */
async function fill(db: Db, emit: Emit): Promise<boolean> {
  if ((await db.branch.count()) > 1) return false;
  await provideHolidays(db);
  await createBranch(db, { name: 'Harbour warehouse', active: true });
  await createShift({ db, emit }, { timezone: ZONE }, ShiftInput.parse(NIGHT));
  await installPack(db, { timezone: ZONE }, 'progressive');
  return true;
}

/**
 * Fills the demo workspaces, with more employees in the first one. Returns a summary. @param master keys for encrypted
 * fields
 */
export async function seedDemo(
  database: Database<Db>,
  workspaces: readonly DemoWorkspace[],
  master: MasterKeys,
): Promise<string> {
  let employed = 0;
  let filled = 0;
  for (const [index, workspace] of workspaces.entries()) {
    const context = { workspace_id: workspace.id, caller: null, operation: 'cli:demo', request_id: randomUUID() };
    await database.write(context, (db) => prepare(db, workspace));
    if (await database.write(context, fill)) filled += 1;
    const { id: workspace_id, currency, users } = workspace;
    const count = index === 0 ? LARGE : SMALL;
    employed += await database.write(context, (db, emit) => employPeople({ db, emit, master }, workspace, count));
    const caller = callerOf(users[0]!, workspace_id, currency);
    await database.write(context, (db, emit) => writeRecords({ db, emit, master }, caller));
    await database.write(context, (db, emit) => writeNotices({ db, emit }, caller));
  }
  return filled + employed > 0
    ? `${filled} companies have branches and shifts, and ${employed} people work there.`
    : 'Demo companies already exist.';
}
