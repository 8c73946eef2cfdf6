/**
 * Rules that must always hold in the databases, as SQL that selects the violations. The auditor connects directly,
 * bypasses all code of the suite and changes nothing.
 */
import { type FindKeysInFlight, lasting, lastingWithoutEvents } from './lasting.ts';
import { type Databases, inSnapshot, select, type Violation } from './snapshot.ts';

export { checkCopies, type CopyDifference, type CopyRule, findCopyDifferences } from './copies.ts';
export { checkInclusion, type Inclusion, type LaterSet } from './inclusion.ts';
export type { FindKeysInFlight } from './lasting.ts';
export { type Databases, readRows, type Violation } from './snapshot.ts';

/** A rule for one database. */
export interface AuditCheck {
  /** The rule as a sentence: `stock levels are the sum of their movements`. */
  name: string;
  /** A query for the rows that violate the rule, each with its `workspace_id`. */
  sql: string;
  /** Guaranteed only from one minute after the last fault. During faults the rule may be broken for a while. */
  after_calm?: true;
}

/**
 * Rule over two databases that always holds, because one of the databases always acts first. Each row that `seen`
 * selects is also selected by `before`, if `seen` is read first. Both select `workspace_id`, `key` and `value`.
 */
export interface Consequence {
  name: string;
  seen: { service: string; sql: string };
  before: { service: string; sql: string };
  /** For an effect that ends in `before` first, and in `seen` by an event. Checked by `checkConsequenceTwice`. */
  keysInFlight?: FindKeysInFlight;
}

/**
 * A rule for two databases: what is done in the first must also be done in the second. Both sides select
 * `workspace_id`, `key` and `value`. A key without a counterpart counts as null on the other side.
 */
export interface CrossServiceCheck {
  name: string;
  here: { service: string; sql: string };
  there: { service: string; sql: string };
}

/**
 * Runs every check of a service on one snapshot of its database.
 * @param workspace_id limits the checks to this workspace
 */
export const audit = (url: string, checks: readonly AuditCheck[], workspace_id?: string): Promise<Violation[]> =>
  inSnapshot(url, async (client) => {
    const violations: Violation[] = [];
    for (const { name, sql } of checks) {
      const rows = await select(client, sql, workspace_id);
      violations.push(...rows.map((row) => ({ check: name, row })));
    }
    return violations;
  });

/** Returns the values of one side of a rule over two databases, by workspace and key. */
async function side(
  databases: Databases,
  { service, sql }: CrossServiceCheck['here'],
  workspace_id: string | undefined,
) {
  const rows = await inSnapshot(String(databases[service]), (client) => select(client, sql, workspace_id));
  return new Map(rows.map((row) => [`${String(row['workspace_id'])} ${String(row['key'])}`, row['value']]));
}

/** Describes the difference between the two sides of a rule for a key. */
function difference({ name }: { name: string }, id: string, said: Record<string, unknown>): Violation {
  const at = id.indexOf(' ');
  return { check: name, row: { workspace_id: id.slice(0, at), key: id.slice(at + 1), ...said } };
}

/**
 * Reads the two databases once, the later effect first: a row found there must have its cause in the other database.
 */
export async function checkConsequence(
  databases: Databases,
  rule: Consequence,
  workspace_id?: string,
): Promise<Violation[]> {
  const { seen, before } = rule;
  const later = await side(databases, seen, workspace_id);
  const earlier = await side(databases, before, workspace_id);
  return [...later]
    .filter(([id, value]) => earlier.get(id) !== value)
    .map(([id, value]) => difference(rule, id, { [seen.service]: value, [before.service]: earlier.get(id) ?? null }));
}

/**
 * Reads twice and returns the violations found both times. For rules where the first database can delete a row before
 * the second one, between two reads or until an event arrives.
 */
export const checkConsequenceTwice = (
  databases: Databases,
  rule: Consequence,
  workspace_id?: string,
): Promise<Violation[]> =>
  lastingWithoutEvents(
    databases,
    async () => {
      const found = await checkConsequence(databases, rule, workspace_id);
      return new Map(found.map((violation) => [JSON.stringify(violation.row), violation]));
    },
    ({ row }) => String(row['key']),
    rule.keysInFlight,
  );

/** Returns the differences that one comparison of both sides finds. */
async function differences(
  databases: Databases,
  agreement: CrossServiceCheck,
  workspace_id: string | undefined,
): Promise<Map<string, Violation>> {
  const { here, there } = agreement;
  const left = await side(databases, here, workspace_id);
  const right = await side(databases, there, workspace_id);
  const found = new Map<string, Violation>();
  for (const id of new Set([...left.keys(), ...right.keys()])) {
    const [mine, theirs] = [left.get(id) ?? null, right.get(id) ?? null];
    if (mine === theirs) continue;
    const said = { [here.service]: mine, [there.service]: theirs };
    found.set(`${id} ${String(mine)} ${String(theirs)}`, difference(agreement, id, said));
  }
  return found;
}

/**
 * Compares two databases. Their snapshots are never taken at the same time. Only a difference that stays the same in
 * several consecutive comparisons breaks the rule. Work in progress has moved on by then.
 */
export const compare = (
  databases: Databases,
  agreement: CrossServiceCheck,
  workspace_id?: string,
): Promise<Violation[]> => lasting(() => differences(databases, agreement, workspace_id));
