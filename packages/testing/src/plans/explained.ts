/** Query plans that PostgreSQL has executed, as its extension auto_explain reports them. */
import type pg from 'pg';

/** A node of a query plan, with the number of rows that it returned. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** A scan of one table by a statement. */
export interface PlanScan {
  table: string;
  /** Node type, such as "Seq Scan" or "Index Scan". */
  type: string;
  indexes: string[];
  /** The index conditions of the scan. */
  conditions: string[];
  /** Number of rows read, including rows that a filter discarded. */
  rows: number;
  /** Number of rows that a filter discarded. */
  removed: number;
}

export interface Explained {
  text: string;
  scans: PlanScan[];
}

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
};
/** The bench switches the plans of statements in functions on and off, which a setting of the database would prevent. */
const OF_LEVEL = { notice: { 'auto_explain.log_nested_statements': 'on' }, log: {} };

/**
 * Makes PostgreSQL report the plan of each statement on new connections.
 * @param log_level `notice` reports to the connection, `log` to the server's log only
 */
export async function enableExplain(admin: pg.Pool, log_level: 'notice' | 'log' = 'notice'): Promise<void> {
  const { rows } = await admin.query<{ name: string }>('SELECT current_database() AS name');
  for (const [setting, value] of Object.entries({
    ...SETTINGS,
    ...OF_LEVEL[log_level],
    'auto_explain.log_level': log_level,
  }))
    await admin.query(`ALTER DATABASE "${rows[0]!.name}" SET ${setting} = '${value}'`);
}

const indexesOf = (nodes: readonly PlanNode[]): PlanNode[] =>
  nodes.flatMap((node) => (node['Index Name'] ? [node] : indexesOf(node.Plans ?? [])));

/** Returns the table scans of a query plan. */
export function scansOf(node: PlanNode): PlanScan[] {
  const { Plans: below = [], 'Relation Name': table, 'Node Type': type } = node;
  const further = below.flatMap(scansOf);
  if (!table) return further;
  const searched = indexesOf([node]);
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const scan = {
    table,
    type,
    indexes: searched.map((index) => index['Index Name'] ?? ''),
    conditions: searched.map((index) => index['Index Cond'] ?? ''),
    rows: Math.round(((node['Actual Rows'] ?? 0) + removed) * (node['Actual Loops'] ?? 0)),
    removed: Math.round(removed * (node['Actual Loops'] ?? 0)),
  };
  return [scan, ...further];
}

const PLAN = 'plan:\n';

/**
 * Waits until the connections of a pool have reported all plans. The last plan of a transaction is reported at its end,
 * which may be after its response.
 */
async function awaitReports(pool: pg.Pool): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  await Promise.all(clients.map((client) => client.query('SELECT 1')));
  for (const client of clients) client.release();
}

/**
 * Collects the plans that the connections of a pool report. @returns function that takes the plans collected since its
 * last call
 */
export function collectPlans(pool: pg.Pool): () => Promise<Explained[]> {
  const known = new WeakSet<pg.PoolClient>();
  const gathered: Explained[] = [];
  pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    client.on('notice', ({ message = '' }) => {
      const at = message.indexOf(PLAN);
      if (at < 0) return;
      const { 'Query Text': text, Plan: plan } = JSON.parse(message.slice(at + PLAN.length));
      gathered.push({ text, scans: scansOf(plan) });
    });
  });
  return async () => {
    await awaitReports(pool);
    return gathered.splice(0);
  };
}
