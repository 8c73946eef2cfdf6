/** Changes of a project by a request, as columns and as a history entry. */
import { exactAmount } from '@suite/document-lines';
import { invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import type { ProjectChanges } from './project.schema.ts';

type ProjectFields = Omit<ProjectChanges, 'members' | 'client_ids' | 'status' | 'version'>;
type Row = Readonly<Record<string, unknown>>;

/** Converts a value to its format in requests and responses. */
function toWireValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (value !== null && typeof value === 'object' && 'toFixed' in value) return String(value);
  return value ?? null;
}

/** Checks the order of the dates. @throws a 422 if the project would end before it starts */
function assertDays(row: Row, { start_date, end_date }: ProjectFields): void {
  const start = start_date === undefined ? toWireValue(row['start_date']) : start_date;
  const end = end_date === undefined ? toWireValue(row['end_date']) : end_date;
  if (start && end && end < start) throw invalid('end_date', 'The last day must not be before the first day.');
}

const AMOUNTS = new Set(['budget', 'hourly_rate']);

/** Returns the changes of a row: `patch` for the database, `diff` with the values before and after. */
export function changesOf(row: Row, fields: ProjectFields) {
  assertDays(row, fields);
  const currency = fields.currency ?? String(row['currency']);
  const patch: Record<string, unknown> = {};
  const diff: Record<string, [unknown, unknown]> = {};
  for (const [name, given] of Object.entries(fields)) {
    if (given === undefined) continue;
    const isAmount = AMOUNTS.has(name) && given !== null;
    const tags = name === 'tags' ? [...new Set(given as string[])] : undefined;
    const value = name === 'budget' && isAmount ? exactAmount(given as string, currency, name) : (tags ?? given);
    const before = toWireValue(row[name]);
    const isSame =
      isAmount && before !== null ? Number(before) === Number(value) : JSON.stringify(before) === JSON.stringify(value);
    if (isSame) continue;
    diff[name] = [before, value];
    patch[name] = name.endsWith('_date') ? midnight(value as string | null) : value;
  }
  return { patch, diff };
}
