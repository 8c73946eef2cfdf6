/** Copies that are behind or ahead of their records, or whose records do not exist. */
import { type CopyDifference, type Databases, findCopyDifferences } from '@suite/auditor';
import { type CopiedKind, copyValueSql, KNOWN_RECORDS, workspaceColumnOf } from '@suite/chassis/declarations';
import { copyRules, type DeclaredCopyRule } from '../audit/copy-rules.ts';
import { inTransaction } from './databases.ts';
import type { Finding, RepairContext } from './difference.ts';

const textOf = (
  { copy: { service: mine }, original: { service: theirs } }: DeclaredCopyRule,
  { workspace_id, key, fault, copy, expected }: CopyDifference,
): string => {
  const record = `${key} of workspace ${workspace_id}`;
  if (fault === 'ghost') return `${record}: ${theirs} does not have the record; ${mine} has ${JSON.stringify(copy)}`;
  if (fault === 'missing') return `${record}: ${mine} has no copy of ${JSON.stringify(expected)}`;
  return `${record}: ${theirs} has ${JSON.stringify(expected)}; ${mine} has ${JSON.stringify(copy)}`;
};

interface Statement {
  sql: string;
  values: (string | null)[];
}

/** Returns the statement that forgets a known state. The next response or event of the owner stores the state again. */
const statementToForget = (copied: CopiedKind, values: string[]): Statement => ({
  sql: `DELETE FROM ${copied.table} AS given
    WHERE workspace_id = $1::uuid AND ${copied.id} = $2::uuid AND ${copied.counted} AND ${copyValueSql(copied)} = $3::jsonb`,
  values,
});

/**
 * Returns the statement that stores the expected values in a copy, or undefined if there is none. A copy that has changed
 * since it was read stays unchanged: an event has arrived in the meantime.
 */
function statementOf(copied: CopiedKind, { workspace_id, key, copy, expected }: CopyDifference): Statement | undefined {
  const { table, id, columns, positions } = copied;
  const workspace = workspaceColumnOf(table);
  if (table === KNOWN_RECORDS) return statementToForget(copied, [workspace_id, key, JSON.stringify(copy)]);
  if (!expected) return undefined;
  const names = Object.keys(expected).map((field) => columns[field]!);
  const values = [
    workspace_id,
    key,
    JSON.stringify(Object.fromEntries(names.map((name, at) => [name, Object.values(expected)[at]]))),
  ];
  const stored = `FROM jsonb_populate_record(NULL::${table}, $3::jsonb) AS stored`;
  const storedNames = names.map((name) => `stored.${name}`);
  if (copy) {
    const set = [
      `(${names.join(', ')}) = (SELECT ${storedNames.join(', ')} ${stored})`,
      ...positions.map((position) => `${position} = 0`),
    ];
    const unchanged = `${copyValueSql(copied)} = $4::jsonb`;
    return {
      sql: `UPDATE ${table} AS given SET ${set.join(', ')} WHERE ${workspace} = $1::uuid AND ${id} = $2::uuid AND ${unchanged}`,
      values: [...values, JSON.stringify(copy)],
    };
  }
  // The row is the workspace itself, which has more than copies.
  if (workspace === id) return undefined;
  const inserted = [workspace, id, ...names, ...positions].join(', ');
  const given = ['$1::uuid', '$2::uuid', ...storedNames, ...positions.map(() => '0')].join(', ');
  return { sql: `INSERT INTO ${table} (${inserted}) SELECT ${given} ${stored} ON CONFLICT DO NOTHING`, values };
}

/**
 * Repairs copies from the records that were just read. Chosen: SQL in the database of the copy, from the database of its
 * owner. The service's own consumers cannot do this: they ignore events with a lower position than the copy, and no event
 * reports a record that does not exist.
 */
async function repairCopies(
  { databases, say }: RepairContext,
  { copied, copy: { service } }: DeclaredCopyRule,
  found: readonly CopyDifference[],
): Promise<void> {
  for (const difference of found) {
    const statement = statementOf(copied, difference);
    if (!statement) continue;
    const { key, fault } = difference;
    const copy = `${copied.table} of ${service}: ${key}`;
    try {
      const { sql, values } = statement;
      const { rowCount } = await inTransaction(String(databases[service]), (client) => client.query(sql, values));
      say(rowCount ? `Repaired ${copy} (${fault})` : `Not repaired, because it has changed: ${copy}`);
    } catch (error) {
      say(`Not repaired: ${copy}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** Finds copies that differ from their records. */
export async function findCopies(databases: Databases): Promise<Finding[]> {
  const findings = await Promise.all(
    copyRules.map(async (rule): Promise<Finding | undefined> => {
      const found = await findCopyDifferences(databases, rule);
      if (found.length === 0) return undefined;
      const { service } = rule.copy;
      return {
        rule: rule.name,
        rows: found.map((difference) => textOf(rule, difference)),
        advice: `Create a missing record in ${rule.original.service} again, and select it in the record of ${service}.`,
        repair: { order: 0, run: (context) => repairCopies(context, rule, found) },
      };
    }),
  );
  return findings.filter((finding) => finding !== undefined);
}
