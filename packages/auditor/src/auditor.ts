/**
 * Rules that must always hold in the databases, as SQL that selects the violations. The auditor connects directly,
 * bypasses all code of the suite and changes nothing.
 */
import pg from 'pg';

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

/** A row that violates a rule. */
export interface Violation {
  check: string;
  row: Record<string, unknown>;
}

/** The databases to audit, by service. */
export type Databases = Readonly<Record<string, string>>;

const STATEMENT_MS = 60_000;

/** Runs `work` on one read-only snapshot of a database. */
async function inSnapshot<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, statement_timeout: STATEMENT_MS, options: '-c timezone=UTC' });
  // A connection may end between two statements. The next statement then fails with an error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs a statement, in one workspace or in all. */
async function select(client: pg.Client, sql: string, workspace_id: string | undefined) {
  const { rows } = await client.query(
    `SELECT * FROM (${sql}) AS found WHERE $1::uuid IS NULL OR workspace_id = $1::uuid`,
    [workspace_id ?? null],
  );
  return rows as Record<string, unknown>[];
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

const BETWEEN_LOOKS_MS = 1_000;
const LOOKS = 5;

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
 * the second one, between two reads.
 */
export async function checkConsequenceTwice(
  databases: Databases,
  rule: Consequence,
  workspace_id?: string,
): Promise<Violation[]> {
  const first = await checkConsequence(databases, rule, workspace_id);
  if (first.length === 0) return first;
  await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
  const known = new Set(first.map(({ row }) => JSON.stringify(row)));
  return (await checkConsequence(databases, rule, workspace_id)).filter(({ row }) => known.has(JSON.stringify(row)));
}

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
export async function compare(
  databases: Databases,
  agreement: CrossServiceCheck,
  workspace_id?: string,
): Promise<Violation[]> {
  let lasting = await differences(databases, agreement, workspace_id);
  for (let look = 1; look < LOOKS && lasting.size > 0; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
    const now = await differences(databases, agreement, workspace_id);
    lasting = new Map([...lasting].filter(([id]) => now.has(id)));
  }
  return [...lasting.values()];
}
