/** Finds the records of a workspace in the databases, in every existing table. */
import { waitUntil } from '@suite/testing/waiting';
import type { SharedSuite } from '@suite/testing/suite/started';

export interface Table {
  service: string;
  name: string;
  has_id: boolean;
}

const TABLES = `
  SELECT c.relname AS name, EXISTS (
    SELECT FROM pg_attribute id WHERE id.attrelid = c.oid AND id.attname = 'id' AND id.atttypid = 'uuid'::regtype) AS has_id
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace ORDER BY c.relname`;

/** Returns every table of the suite whose rows belong to workspaces. */
export async function tablesOf(suite: SharedSuite): Promise<Table[]> {
  const found = await Promise.all(
    Object.keys(suite.databases).map(async (service) => {
      const rows = await suite.sql<{ name: string; has_id: boolean }>(service, TABLES);
      return rows.map((row) => ({ service, ...row }));
    }),
  );
  return found.flat();
}

export interface WorkspaceRow {
  id: string;
  /** `crm.leads` */
  table: string;
}

/**
 * The records that services request from each other by ID. An operation can reach no other records of another database.
 */
const ASKED_FOR = new Set([
  'platform.users',
  'platform.roles',
  'inventory.products',
  'inventory.taxes',
  'inventory.warehouses',
  'finance.customers',
  'finance.vendors',
  'finance.sales_invoices',
  'finance.gl_accounts',
  'crm.sales_orders',
]);

/** Returns the records that an operation of a service could reach, in its own database or through another service. */
export const reachableRows = (service: string, belongings: readonly WorkspaceRow[]): WorkspaceRow[] =>
  belongings.filter(({ table }) => table.startsWith(`${service}.`) || ASKED_FOR.has(table));

/** Returns up to `most` IDs of each table. */
export async function idsOf(suite: SharedSuite, workspace_id: string, most: number): Promise<WorkspaceRow[]> {
  const tables = (await tablesOf(suite)).filter(({ has_id }) => has_id);
  const found = await Promise.all(
    tables.map(async ({ service, name }) => {
      const statement = `SELECT id FROM "${name}" WHERE workspace_id = $1 ORDER BY id LIMIT $2`;
      const rows = await suite.sql<{ id: string }>(service, statement, [workspace_id, most]);
      return rows.map(({ id }) => ({ id, table: `${service}.${name}` }));
    }),
  );
  return found.flat();
}

/**
 * Returns the number of rows and one checksum per table of a workspace. Ignores when a user's next daily e-mail is due,
 * because that changes automatically.
 */
export async function checksums(
  suite: SharedSuite,
  workspace_id: string,
): Promise<Record<string, { rows: number; checksum: string }>> {
  // Schedules report the storage use once a minute, and record when leave was settled.
  const steady = (await tablesOf(suite)).filter(({ name }) => !/^(storage_use|leave_settlements)/.test(name));
  const sums = await Promise.all(
    steady.map(async ({ service, name }) => {
      const [sum] = await suite.sql<{ rows: number; checksum: string }>(
        service,
        `SELECT count(*)::int AS rows, coalesce(md5(string_agg(text, E'\\n' ORDER BY text)), '') AS checksum
         FROM (SELECT (to_jsonb(t) - 'digest_at')::text FROM "${name}" AS t WHERE workspace_id = $1) AS records (text)`,
        [workspace_id],
      );
      return [`${service}.${name}`, sum ?? { rows: 0, checksum: '' }] as const;
    }),
  );
  return Object.fromEntries(sums);
}

/** Waits until every e-mail is sent and every to-do list has been synchronised for a while. */
export const waitUntilMailed = (suite: SharedSuite): Promise<void> =>
  waitUntil(
    'every e-mail is sent',
    async () => {
      const queued = await Promise.all([
        suite.sql('platform', `SELECT FROM outgoing_mail WHERE status = 'queued'`),
        suite.sql('platform', `SELECT FROM todo_syncs WHERE next_attempt_at <= now() + interval '5 minutes'`),
        suite.sql('crm', `SELECT FROM emails WHERE delivery = 'queued'`),
        suite.sql('crm', `SELECT FROM widget_mails WHERE delivery = 'queued'`),
        suite.sql('projects', `SELECT FROM mails WHERE delivery = 'queued'`),
        suite.sql('support', `SELECT FROM mails WHERE delivery = 'queued' AND next_attempt_at <= now()`),
        suite.sql('hr', `SELECT FROM leave_mails WHERE delivery = 'queued' AND next_attempt_at <= now()`),
        suite.sql('hr', `SELECT FROM notice_mails WHERE delivery = 'queued' AND next_attempt_at <= now()`),
      ]);
      return queued.flat().length === 0;
    },
    60_000,
  );
