/** Changed fields of a record, from the columns in the journal to the fields of its responses. */
import type { z } from 'zod';
import { isOnDemand } from '../lists/choice.ts';
import { columnOf } from '../lists/list-filter.ts';
import { withoutInnerFields } from '../http/visible.ts';
import type { Caller } from '../identity/identity.ts';
import { writeAmounts } from '../schema/amounts.ts';

/** Columns by name. Numbers are texts, so that no digit is lost. */
export type Columns = Readonly<Record<string, unknown>>;

/** A changed field, as responses show it. */
export interface FieldChange {
  field: string;
  /** Absent for a created record. */
  old?: unknown;
  /** Absent for a deleted record. */
  new?: unknown;
  /** True for an encrypted field, whose values are in no journal. */
  concealed: boolean;
}

/** Fields that change with every other field. */
const BOOKKEEPING = new Set(['id', 'version', 'created_at', 'updated_at', 'updated_by']);
/** The placeholder of an encrypted value in the journal. */
const SEALED = '[sealed]';

/** Returns the value of a column as a query would. */
function columnValue(schema: z.ZodType, value: unknown): unknown {
  const { kind } = columnOf(schema);
  if (kind === 'integer' && typeof value === 'string') return Number(value);
  if (kind === 'timestamptz' && typeof value === 'string') return new Date(value);
  return value;
}

/** Returns the fields among these columns as a response to this caller shows them. */
function shownFields(schema: z.ZodObject, columns: Columns, around: Columns, caller: Caller): Record<string, unknown> {
  const source = { ...around, ...columns };
  const shown: Record<string, unknown> = {};
  for (const [name, field] of Object.entries<z.ZodType>(schema.shape)) {
    if (!(name in columns) || BOOKKEEPING.has(name) || isOnDemand(field)) continue;
    // Earlier releases may have stored what the field no longer accepts.
    const parsed = field.safeParse(columnValue(field, columns[name]));
    shown[name] = parsed.success ? parsed.data : null;
  }
  return writeAmounts(schema, withoutInnerFields(schema, shown, source, caller), source, caller.currency);
}

/**
 * Returns the changed fields of a record that the caller may see.
 * @param change the changed columns before and after the change
 * @param around columns of the record that say in which currency its amounts are, and whom it is about
 */
export function fieldChanges(
  schema: z.ZodObject,
  change: { before: Columns | null; after: Columns | null },
  { around, caller }: { around: Columns; caller: Caller },
): FieldChange[] {
  const { before, after } = change;
  const old = before && shownFields(schema, before, around, caller);
  const current = after && shownFields(schema, after, around, caller);
  const isSealed = (name: string) => before?.[name] === SEALED || after?.[name] === SEALED;
  return Object.keys({ ...old, ...current }).map((field) =>
    isSealed(field)
      ? { field, concealed: true }
      : {
          field,
          concealed: false,
          ...(old && { old: old[field] ?? null }),
          ...(current && { new: current[field] ?? null }),
        },
  );
}
