/** Clocking in and out by the employee. */
import { sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Emit, RequestMetadata } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import type { PunchSource } from '../attendance-days/sessions.rules.ts';
import { readAttendance } from '../attendance/attendance.view.ts';
import type { Db } from '../../operations.ts';
import { lockCurrentEmployee } from '../../employment/employee-users/current-employee.ts';
import { readSettings } from '../../organisation/settings/settings.ts';
import type { PunchInput } from './clocking.schema.ts';
import { assertPlace } from './place.rules.ts';
import { readAttendanceEmployee, recordPunch, type PunchResult } from './punch.ts';

export const ClockSkew = fault(
  422,
  'clock_skew',
  'The time must be within the last 24 hours. Check the clock of the device.',
);

const AHEAD_MS = 60_000;
const OFFLINE_MS = 24 * 3_600_000;

/** Context of a punch: the caller and their request. */
export interface PunchContext {
  db: Db;
  emit: Emit;
  caller: Caller;
  request: RequestMetadata;
}

/** Returns the time of a punch: the server time, unless the punch was made offline. @throws ClockSkew */
function instantOf(at: string | undefined): Date {
  const now = clock.now().getTime();
  if (at === undefined) return new Date(now);
  const time = Date.parse(at);
  if (time > now + AHEAD_MS || time < now - OFFLINE_MS) throw ClockSkew({ field: 'at' });
  return new Date(time);
}

/** Returns the source of a punch. Mobile apps identify themselves in the user agent. An API key indicates a device. */
function sourceOf({ api_key_id }: Caller, { user_agent }: RequestMetadata): PunchSource {
  if (api_key_id) return 'device';
  return /\b(?:Mobile|Android|iPhone|iPad|okhttp|CFNetwork|Dart)\b/.test(user_agent) ? 'mobile' : 'web';
}

/** Returns the earlier punch with the same client ID. */
async function findEarlierPunch(
  db: Db,
  employee_id: string,
  client_id: string | undefined,
): Promise<PunchResult | undefined> {
  if (client_id === undefined) return undefined;
  const [event] = await db.rows<{ id: string; attendance_id: string }>(sql`
    SELECT id, attendance_id FROM attendance_events WHERE employee_id = ${employee_id}::uuid AND client_id = ${client_id}::uuid`);
  return event && { event_id: event.id, attendance_id: event.attendance_id, duplicate: true, warnings: [] };
}

async function punch({ db, emit, caller, request }: PunchContext, input: PunchInput): Promise<PunchResult> {
  const { at, client_id, geo, work_from_home } = input;
  const { id } = await lockCurrentEmployee(db, caller);
  const before = await findEarlierPunch(db, id, client_id);
  if (before) return before;
  const settings = await readSettings(db);
  assertPlace(settings, { geo, address: request.address, work_from_home });
  const instant = instantOf(at);
  const employee = await readAttendanceEmployee(db, id, instant);
  const is_late = clock.now().getTime() - instant.getTime() >= AHEAD_MS;
  const facts = { ...input, at: instant, is_late, source: sourceOf(caller, request), ip: request.address };
  return await recordPunch({ db, emit }, employee, facts, settings);
}

/** Records the caller's punch. Concurrent punches are processed in sequence. Returns the resulting day. */
export async function clockInOut(context: PunchContext, input: PunchInput) {
  const { event_id, attendance_id, duplicate, warnings } = await punch(context, input);
  const attendance = await readAttendance(context, attendance_id);
  const event = attendance.punches?.find(({ id }) => id === event_id);
  return { created: !duplicate, record: { event, attendance, duplicate, warnings } as never };
}
