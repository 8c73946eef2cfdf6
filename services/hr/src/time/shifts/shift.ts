/**
 * Creates, updates and deletes shifts. Each change of the terms creates a version from that day. Past days use their
 * own version.
 */
import { assertVersion, change, find, remove, sql } from '@suite/chassis/database';
import { InUse } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, paginate, readOne } from '@suite/chassis/lists';
import type { Emit } from '@suite/chassis/operations';
import { today } from '@suite/chassis/runtime';
import { ShiftChanged } from '@suite/proto/hr/v1/events';
import type { Db } from '../../operations.ts';
import { headCount } from '../../organisation/setup/head-count.ts';
import { serializeOn } from '../../organisation/setup/serialize.ts';
import { Shift, type ShiftChanges, type ShiftInput } from './shift.schema.ts';
import { assertLength } from './shift.rules.ts';

const view = {
  table: 'shifts',
  compute: { crosses_midnight: sql`shifts.end <= shifts.start`, employee_count: headCount('shift_id', 'shifts') },
};

export const listShifts = (db: Db, request: ListRequest) => paginate(db, request, view);

/** Day before all others. A new shift's terms also apply to records of past days. */
const FIRST_DAY = '0001-01-01';

/** Adds the terms of a shift from a given day. */
async function addVersion(db: Db, shift_id: string, effective_from: string): Promise<void> {
  await db.rows(sql`
    INSERT INTO shift_versions (id, shift_id, effective_from, seq, terms)
    SELECT gen_random_uuid(), shifts.id, ${effective_from}::date,
      1 + coalesce((SELECT max(seq) FROM shift_versions AS known
        WHERE known.shift_id = shifts.id AND known.effective_from = ${effective_from}::date), 0),
      to_jsonb(shifts) - ARRAY['id', 'workspace_id', 'name', 'search', 'is_default', 'active', 'created_by', 'updated_by',
        'created_at', 'updated_at', 'version']
    FROM shifts WHERE shifts.id = ${shift_id}::uuid`);
}

/** Removes the default flag from the current default shift: there can be only one. */
const clearDefault = (db: Db): Promise<unknown> => db.rows(sql`UPDATE shifts SET is_default = FALSE WHERE is_default`);

/** Context of commands that change work days and emit an event. */
interface ShiftContext {
  db: Db;
  emit: Emit;
}

/** Creates a shift. @throws ShiftWithoutLength */
export async function createShift(
  { db, emit }: ShiftContext,
  { timezone: zone }: Pick<Caller, 'timezone'>,
  input: ShiftInput,
) {
  assertLength(input);
  await serializeOn(db, 'shifts');
  if (input.is_default) await clearDefault(db);
  const { id } = await db.shift.create({ data: { ...input, timezone: input.timezone ?? zone } });
  await addVersion(db, id, FIRST_DAY);
  if (input.is_default) emit(ShiftChanged, { shift_id: id, from: today(zone) });
  return await readOne(db, Shift, id, view);
}

/** Fields that are not part of the shift terms. */
const LABELS = new Set(['name', 'is_default', 'active']);

/**
 * Updates a shift. Chosen: changes apply from today in the workspace zone, because the specification names no other
 * day.
 * @throws ShiftWithoutLength, Stale
 */
export async function changeShift(
  { db, emit }: ShiftContext,
  { timezone }: Pick<Caller, 'timezone'>,
  id: string,
  { patch: { version: _, ...patch }, expect }: { patch: ShiftChanges; expect: number | undefined },
) {
  await serializeOn(db, 'shifts');
  const before = await find(db.shift, id);
  assertVersion(before, expect);
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  assertLength({ ...before, ...given });
  if (patch.is_default && !before.is_default) await clearDefault(db);
  await change(db.shift, id, given);
  const has_other_terms = Object.keys(given).some((name) => !LABELS.has(name));
  if (has_other_terms) await addVersion(db, id, today(timezone));
  if (has_other_terms || (patch.is_default && !before.is_default))
    emit(ShiftChanged, { shift_id: id, from: today(timezone) });
  return await readOne(db, Shift, id, view);
}

/** Deletes a shift. @throws InUse if employees are or were assigned, or if the shift is the default */
export async function removeShift(db: Db, id: string) {
  await serializeOn(db, 'shifts');
  const { is_default } = await find(db.shift, id);
  if (is_default) throw InUse({ is_default });
  return await remove(db.shift, id);
}
