/**
 * The auditor: rules that must hold in the databases at any moment, as SQL that selects whatever breaks them. It reads
 * as an outsider, past all of the suite's code, and changes nothing.
 */
import pg from 'pg';

/** One rule over one database. */
export interface Check {
  /** The sentence that holds: `stock levels are the sum of their movements`. */
  name: string;
  /** Selects what breaks it; each row with its `workspace_id`. */
  sql: string;
  /** It is promised for a minute after the last fault: amid faults it may be broken for a while. */
  after_calm?: true;
}

/**
 * One rule over two databases that holds at any moment, since one of them always acts first: whatever `seen` selects is
 * among what `before` selects, when it is looked at in this order. Both select `workspace_id`, `key` and `value`.
 */
export interface Consequence {
  name: string;
  seen: { service: string; sql: string };
  before: { service: string; sql: string };
}

/**
 * One rule over two databases: what the one calls done is done in the other. Both sides select `workspace_id`, `key` and
 * `value`; a key without a counterpart counts as null on the other side.
 */
export interface Agreement {
  name: string;
  here: { service: string; sql: string };
  there: { service: string; sql: string };
}

/** A row that breaks a rule. */
export interface Violation {
  check: string;
  row: Record<string, unknown>;
}

/** The databases to audit, by service. */
export type Databases = Readonly<Record<string, string>>;

const STATEMENT_MS = 60_000;

/** Opens one read-only snapshot of a database, for as long as `work` takes. */
async function inSnapshot<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, statement_timeout: STATEMENT_MS, options: '-c timezone=UTC' });
  // A connection may end between two statements: the next one fails then, and says so.
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
 * @param workspace_id only what belongs to this workspace
 */
export const audit = (url: string, checks: readonly Check[], workspace_id?: string): Promise<Violation[]> =>
  inSnapshot(url, async (client) => {
    const violations: Violation[] = [];
    for (const { name, sql } of checks) {
      const rows = await select(client, sql, workspace_id);
      violations.push(...rows.map((row) => ({ check: name, row })));
    }
    return violations;
  });

/** The figures of one side of a rule over two databases, by workspace and key. */
async function side(databases: Databases, { service, sql }: Agreement['here'], workspace_id: string | undefined) {
  const rows = await inSnapshot(String(databases[service]), (client) => select(client, sql, workspace_id));
  return new Map(rows.map((row) => [`${String(row['workspace_id'])} ${String(row['key'])}`, row['value']]));
}

/** How the two sides of a rule differ about a key. */
function difference({ name }: { name: string }, id: string, said: Record<string, unknown>): Violation {
  const at = id.indexOf(' ');
  return { check: name, row: { workspace_id: id.slice(0, at), key: id.slice(at + 1), ...said } };
}

const BETWEEN_LOOKS_MS = 1_000;
const LOOKS = 5;

/** Looks once, in the order in which things happen: what is seen there, must have happened here before. */
export async function trace(databases: Databases, rule: Consequence, workspace_id?: string): Promise<Violation[]> {
  const { seen, before } = rule;
  const later = await side(databases, seen, workspace_id);
  const earlier = await side(databases, before, workspace_id);
  return [...later]
    .filter(([id, value]) => earlier.get(id) !== value)
    .map(([id, value]) => difference(rule, id, { [seen.service]: value, [before.service]: earlier.get(id) ?? null }));
}

/**
 * Looks twice, and keeps what is broken both times: for rules whose first database can give up what it needs, before the other
 * one drops it, between two looks.
 */
export async function lastingTrace(
  databases: Databases,
  rule: Consequence,
  workspace_id?: string,
): Promise<Violation[]> {
  const first = await trace(databases, rule, workspace_id);
  if (first.length === 0) return first;
  await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
  const known = new Set(first.map(({ row }) => JSON.stringify(row)));
  return (await trace(databases, rule, workspace_id)).filter(({ row }) => known.has(JSON.stringify(row)));
}

/** The differences that one look at both sides finds. */
async function differences(
  databases: Databases,
  agreement: Agreement,
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
 * Compares two databases. Their snapshots are never of the same instant, so only a difference that is still there, just the
 * same, at several looks in a row breaks the rule: what is under way has moved on by then.
 */
export async function compare(databases: Databases, agreement: Agreement, workspace_id?: string): Promise<Violation[]> {
  let lasting = await differences(databases, agreement, workspace_id);
  for (let look = 1; look < LOOKS && lasting.size > 0; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
    const now = await differences(databases, agreement, workspace_id);
    lasting = new Map([...lasting].filter(([id]) => now.has(id)));
  }
  return [...lasting.values()];
}
