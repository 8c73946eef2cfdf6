/** The demo's company: where, when and as what its people work. Made once for each workspace. */
import { randomUUID } from 'node:crypto';
import type { Database, Emit, MasterKeys } from '@suite/chassis';
import type { DemoWorkspace } from '@suite/demo';
import { upsertUserProfile } from '@suite/users';
import type { Db } from '../operations.ts';
import { createBranch } from '../branches/branch.ts';
import { installPack } from '../payroll-packs/pack.ts';
import { provideSetup } from '../setup/defaults.ts';
import { createShift } from '../shifts/shift.ts';
import { ShiftInput } from '../shifts/shift.schema.ts';
import { callerOf, employPeople } from './staff.ts';
import { provideHolidays } from './public-holidays.ts';
import { writeNotices } from './notices.ts';
import { writeRecords } from './staff-records.ts';

/** People of the first workspace, and of each further one. */
const [LARGE, SMALL] = [30, 8];
const ZONE = 'Europe/Berlin';
const NIGHT = { name: 'Night', start: '22:00', end: '06:00', break_minutes: 30, days: [1, 2, 3, 4, 5], is_night: true };

/** Provides what a workspace begins with, and copies of its users; copies that platform's events have made are newer. */
async function prepare(db: Db, { users }: DemoWorkspace): Promise<void> {
  for (const { id: user_id, name, email, kind } of users) {
    await upsertUserProfile(db, { user_id, name, email, kind, phone: '', status: 'active' }, 0);
  }
  await provideSetup(db, ZONE);
  await installPack(db, { timezone: ZONE }, 'flat');
}

/** Adds what the company has beyond that. Returns whether it was missing. */
async function fill(db: Db, emit: Emit): Promise<boolean> {
  if ((await db.branch.count()) > 1) return false;
  await provideHolidays(db);
  await createBranch(db, { name: 'Harbour warehouse', active: true });
  await createShift({ db, emit }, { timezone: ZONE }, ShiftInput.parse(NIGHT));
  await installPack(db, { timezone: ZONE }, 'progressive');
  return true;
}

/** Fills the demo workspaces, the first one with more people. Tells what was done. @param master the keys of what is sealed */
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
    : 'The companies are there already.';
}
