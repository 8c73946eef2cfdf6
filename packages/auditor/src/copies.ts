/** Rules about copies of other services' records: each copy agrees with its record. */
import { type FindKeysInFlight, lastingWithoutEvents } from './lasting.ts';
import { type Databases, inSnapshot, select, type Violation } from './snapshot.ts';

type Values = Readonly<Record<string, unknown>>;

/** The copies of a kind of record in a service. Both queries select `workspace_id`, `key` and `value`, a JSON object. */
export interface CopyRule {
  name: string;
  copy: { service: string; sql: string };
  /** Also selects `state`: current, ended or unannounced. Copies of unannounced records are not compared. */
  original: { service: string; sql: string };
  /** Values in the copy of a record that has ended or does not exist. Without them, no such record may have a copy. */
  gone?: Values | undefined;
  /** True if every current record has a copy. */
  is_complete: boolean;
  /** True if a copy may remain after the deletion of its record. */
  outlives_record?: boolean;
  /** Finds the records whose last changes the service of the copy is about to process. */
  keysInFlight?: FindKeysInFlight;
}

/** A copy that differs from its record. */
export interface CopyDifference {
  workspace_id: string;
  key: string;
  /** - `ghost`: the record does not exist. - `differs`: the values differ. - `missing`: the record has no copy. */
  fault: 'ghost' | 'differs' | 'missing';
  copy: Values | null;
  /** The values that the copy must have. Null for a ghost without such values. */
  expected: Values | null;
}

interface Row {
  workspace_id: string;
  key: string;
  value: Values;
  state?: 'current' | 'ended' | 'unannounced';
}

const idOf = ({ workspace_id, key }: Pick<Row, 'workspace_id' | 'key'>): string => `${workspace_id} ${key}`;

async function rowsOf(databases: Databases, { service, sql }: CopyRule['copy'], workspace_id: string | undefined) {
  const rows = await inSnapshot(String(databases[service]), (client) => select(client, sql, workspace_id));
  return rows as unknown as Row[];
}

/** Returns true if a copy has all expected values. It may have other fields. */
const agrees = (copy: Values, expected: Values): boolean =>
  Object.entries(expected).every(([field, value]) => copy[field] === value);

/** Returns the values that the copy of a record must have. */
function expectedOf(original: Row | undefined, copy: Values, gone: Values | undefined): Values | null {
  if (original?.state === 'current') return original.value;
  return gone ? Object.fromEntries(Object.entries(gone).filter(([field]) => field in copy)) : null;
}

/** Compares all copies once. The records are read first: a copy can only be behind them. */
async function differencesOf(databases: Databases, rule: CopyRule, workspace_id: string | undefined) {
  const { copy, original, gone, is_complete, outlives_record } = rule;
  const originals = new Map((await rowsOf(databases, original, workspace_id)).map((row) => [idOf(row), row]));
  const copies = await rowsOf(databases, copy, workspace_id);
  const found = new Map<string, CopyDifference>();
  const add = (difference: CopyDifference) => found.set(JSON.stringify(difference), difference);
  for (const row of copies) {
    const record = originals.get(idOf(row));
    if (!record && outlives_record) continue;
    const expected = expectedOf(record, row.value, gone);
    if (record?.state === 'unannounced' || (expected && agrees(row.value, expected))) continue;
    const { workspace_id: workspace, key, value } = row;
    add({ workspace_id: workspace, key, fault: record ? 'differs' : 'ghost', copy: value, expected });
  }
  if (!is_complete) return found;
  const copied = new Set(copies.map(idOf));
  for (const row of originals.values()) {
    if (row.state !== 'current' || copied.has(idOf(row))) continue;
    const { workspace_id: workspace, key, value } = row;
    add({ workspace_id: workspace, key, fault: 'missing', copy: null, expected: value });
  }
  return found;
}

/** Returns the copies that differ from their records in two comparisons, unless an event is about to change the copy. */
export const findCopyDifferences = (
  databases: Databases,
  rule: CopyRule,
  workspace_id?: string,
): Promise<CopyDifference[]> =>
  lastingWithoutEvents(
    databases,
    () => differencesOf(databases, rule, workspace_id),
    ({ key }) => key,
    rule.keysInFlight,
  );

/** Returns the copies that violate a rule. */
export async function checkCopies(databases: Databases, rule: CopyRule, workspace_id?: string): Promise<Violation[]> {
  const { name: check, copy, original } = rule;
  const found = await findCopyDifferences(databases, rule, workspace_id);
  return found.map(({ workspace_id: workspace, key, fault, copy: mine, expected }) => ({
    check,
    row: { workspace_id: workspace, key, fault, [copy.service]: mine, [original.service]: expected },
  }));
}
