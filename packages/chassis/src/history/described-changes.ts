/** Changes of the feed as a caller sees them. */
import { sqltag as sql } from '@prisma/client/runtime/client';
import type { ChangeReference } from '@suite/proto/records/v1/records';
import type { RowReader } from '../database/database.ts';
import { asCaller, currentTransaction } from '../database/running.ts';
import type { Caller } from '../identity/identity.ts';
import { type Columns, fieldChanges } from './field-changes.ts';
import { CHANGE, type JournalChange, type RecordChange, recordChangeOf } from './record-change.ts';
import { deletedRecords, presentRecords, visibleAmong } from './record-states.ts';
import { type RecordType, refusalOf } from './record-type.ts';

/** A change that the caller may see. */
export interface DescribedChange {
  position: string;
  number: number;
  change: RecordChange;
}

interface StoredChange extends JournalChange {
  position: string;
  number: number;
  table_name: string;
}

/**
 * Describes the changes of records that are deleted, or that the caller no longer sees. Each change belongs to the state of
 * its record before it: a caller who saw that state learns that the record is hidden now, without its fields.
 */
async function describeAbsent(
  db: RowReader,
  type: RecordType,
  stored: readonly StoredChange[],
  caller: Caller,
): Promise<DescribedChange[]> {
  const ids = [...new Set(stored.map(({ record_id }) => record_id))];
  const hidden = await presentRecords(db, type.table, ids, sql`TRUE`);
  const deleted = await deletedRecords(
    db,
    type.table,
    ids.filter((id) => !hidden.has(id)),
  );
  const states = stored.map(({ record_id, before, after }) => ({
    ...(hidden.get(record_id) ?? deleted.get(record_id)),
    ...(before ?? after),
  }));
  const seen = await visibleAmong(db, type, states);
  return stored.flatMap((change, at): DescribedChange[] => {
    if (!seen.has(at)) return [];
    if (deleted.has(change.record_id)) return [describe(type, change, states[at]!, caller)];
    if (change.action === 'insert') return [];
    return [{ ...placeOf(change), change: { ...recordChangeOf(change), action: 'hidden', fields: [] } }];
  });
}

const placeOf = ({ position, number }: StoredChange) => ({ position, number });

function describe(type: RecordType, stored: StoredChange, around: Columns, caller: Caller): DescribedChange {
  const fields = fieldChanges(type.schema, stored, { around, caller });
  return { ...placeOf(stored), change: { ...recordChangeOf(stored), fields } };
}

async function describeType(
  db: RowReader,
  type: RecordType,
  stored: readonly StoredChange[],
  caller: Caller,
): Promise<DescribedChange[]> {
  const { seen } = currentTransaction();
  const ids = [...new Set(stored.map(({ record_id }) => record_id))];
  const condition = seen?.narrowing(type.table, type.narrowing) ?? sql`TRUE`;
  const visible = await asCaller(() => presentRecords(db, type.table, ids, condition));
  const absent = stored.filter(({ record_id }) => !visible.has(record_id));
  return [
    ...stored.flatMap((change) => {
      const around = visible.get(change.record_id);
      return around ? [describe(type, change, around, caller)] : [];
    }),
    ...(absent.length > 0 ? await describeAbsent(db, type, absent, caller) : []),
  ];
}

/** Returns the changes among these that the caller may see, in any order. */
export async function describeChanges(
  db: RowReader,
  types: readonly RecordType[],
  changes: readonly ChangeReference[],
  caller: Caller,
): Promise<DescribedChange[]> {
  const viewable = types.filter((type) => !refusalOf(type, caller));
  const asked = changes.filter(({ record_type }) => viewable.some(({ name }) => name === record_type));
  if (asked.length === 0) return [];
  const keyOf = ({ position, number }: Pick<ChangeReference, 'position' | 'number'>) => `${position}.${number}`;
  const typeOf = new Map(asked.map((change) => [keyOf(change), change.record_type]));
  const positions = [...new Set(asked.map(({ position }) => position))];
  const stored = await db.rows<StoredChange>(sql`
    SELECT position::text, number::int, table_name, ${CHANGE} FROM journal_changes
    WHERE workspace_id = ${caller.workspace_id}::uuid AND position = ANY (${positions}::bigint[])`);
  const described: DescribedChange[] = [];
  for (const type of viewable) {
    const own = stored.filter((change) => change.table_name === type.table && typeOf.get(keyOf(change)) === type.name);
    if (own.length > 0) described.push(...(await describeType(db, type, own, caller)));
  }
  return described;
}
