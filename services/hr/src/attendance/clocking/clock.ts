/** Clocking in and out by the employee. */
import { sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Emit, RequestFacts } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import type { PunchSource } from '../attendance-days/sessions.rules.ts';
import { readAttendance } from '../attendance/attendance.view.ts';
import type { Db } from '../../operations.ts';
import { lockSelf } from '../../employment/employee-users/self.ts';
import { readSettings } from '../../organisation/settings/settings.ts';
import type { TapInput } from './clocking.schema.ts';
import { assertPlace } from './place.rules.ts';
import { readWorker, takeTap, type Tapped } from './punch.ts';

export const ClockSkew = fault(
  422,
  'clock_skew',
  'The time must be within the last 24 hours. Check the clock of the device.',
);

const AHEAD_MS = 60_000;
const OFFLINE_MS = 24 * 3_600_000;

/** Context of a punch: the caller and their request. */
export interface Tapping {
  db: Db;
  emit: Emit;
  caller: Caller;
  request: RequestFacts;
}

/** Returns the time of a punch: the server time, unless the punch was made offline. @throws ClockSkew */
function instantOf(at: string | undefined): Date {
  const now = clock.now().getTime();
  if (at === undefined) return new Date(now);
  const told = Date.parse(at);
  if (told > now + AHEAD_MS || told < now - OFFLINE_MS) throw ClockSkew({ field: 'at' });
  return new Date(told);
}

/** Returns the source of a punch. Mobile apps identify themselves in the user agent. An API key indicates a device. */
function sourceOf({ api_key_id }: Caller, { user_agent }: RequestFacts): PunchSource {
  if (api_key_id) return 'device';
  return /\b(?:Mobile|Android|iPhone|iPad|okhttp|CFNetwork|Dart)\b/.test(user_agent) ? 'mobile' : 'web';
}

/** Returns the earlier punch with the same client ID. */
async function sentBefore(db: Db, employee_id: string, client_id: string | undefined): Promise<Tapped | undefined> {
  if (client_id === undefined) return undefined;
  const [event] = await db.rows<{ id: string; attendance_id: string }>(sql`
    SELECT id, attendance_id FROM attendance_events WHERE employee_id = ${employee_id}::uuid AND client_id = ${client_id}::uuid`);
  return event && { event_id: event.id, attendance_id: event.attendance_id, duplicate: true, warnings: [] };
}

async function tap({ db, emit, caller, request }: Tapping, input: TapInput): Promise<Tapped> {
  const { at, client_id, geo, work_from_home } = input;
  const { id } = await lockSelf(db, caller);
  const before = await sentBefore(db, id, client_id);
  if (before) return before;
  const settings = await readSettings(db);
  assertPlace(settings, { geo, address: request.address, work_from_home });
  const instant = instantOf(at);
  const worker = await readWorker(db, id, instant);
  const is_late = clock.now().getTime() - instant.getTime() >= AHEAD_MS;
  const facts = { ...input, at: instant, is_late, source: sourceOf(caller, request), ip: request.address };
  return await takeTap({ db, emit }, worker, facts, settings);
}

/** Records the caller's punch. Concurrent punches are processed in sequence. Returns the resulting day. */
export async function clockInOut(tapping: Tapping, input: TapInput) {
  const { event_id, attendance_id, duplicate, warnings } = await tap(tapping, input);
  const attendance = await readAttendance(tapping, attendance_id);
  const event = attendance.punches?.find(({ id }) => id === event_id);
  return { created: !duplicate, record: { event, attendance, duplicate, warnings } as never };
}
