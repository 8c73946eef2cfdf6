/** The fields of a project that a body changes, as columns and as a line of its history. */
import { exactAmount } from '@suite/document-lines';
import { invalid, midnight } from '@suite/chassis';
import type { ProjectChanges } from './project.schema.ts';

type Fields = Omit<ProjectChanges, 'members' | 'client_ids' | 'status' | 'version'>;
type Row = Readonly<Record<string, unknown>>;

/** A value as bodies and answers have it. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (value !== null && typeof value === 'object' && 'toFixed' in value) return String(value);
  return value ?? null;
}

/** @throws a 422 when the project would end before it starts */
function assertDays(row: Row, { start_date, end_date }: Fields): void {
  const start = start_date === undefined ? plain(row['start_date']) : start_date;
  const end = end_date === undefined ? plain(row['end_date']) : end_date;
  if (start && end && end < start) throw invalid('end_date', 'The last day must not be before the first day.');
}

const AMOUNTS = new Set(['budget', 'hourly_rate']);

/** The changes that a body makes to a row: `patch` for the database, `diff` with the values before and after. */
export function changesOf(row: Row, fields: Fields) {
  assertDays(row, fields);
  const currency = fields.currency ?? String(row['currency']);
  const patch: Record<string, unknown> = {};
  const diff: Record<string, [unknown, unknown]> = {};
  for (const [name, given] of Object.entries(fields)) {
    if (given === undefined) continue;
    const isAmount = AMOUNTS.has(name) && given !== null;
    const tags = name === 'tags' ? [...new Set(given as string[])] : undefined;
    const value = name === 'budget' && isAmount ? exactAmount(given as string, currency, name) : (tags ?? given);
    const before = plain(row[name]);
    const isSame =
      isAmount && before !== null ? Number(before) === Number(value) : JSON.stringify(before) === JSON.stringify(value);
    if (isSame) continue;
    diff[name] = [before, value];
    patch[name] = name.endsWith('_date') ? midnight(value as string | null) : value;
  }
  return { patch, diff };
}
