/** Changes in a restored cluster, before anything uses it. */
import pg from 'pg';

/** Official numbers that were assigned after the restore point. Documents with these numbers may be in circulation. */
export interface AssignedNumbers {
  service: string;
  workspace_id: string;
  type: string;
  /** 0 for a series that never restarts. */
  year: number;
  first: number;
  last: number;
}

/** The part of the previous data that the restored data must know. */
export interface EarlierData {
  /** Service → last number of each series. */
  numbers: Record<string, Series[]>;
  /** IDs of revoked API keys. */
  revoked_keys: string[];
}

type Series = { workspace_id: string; type: string; year: number; last: number };

async function inDatabase<T>(admin_url: string, database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const address = Object.assign(new URL(admin_url), { pathname: database }).href;
  const client = new pg.Client({ connectionString: address, options: '-c timezone=UTC' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const hasTable = async (client: pg.Client, name: string): Promise<boolean> =>
  (await client.query('SELECT to_regclass($1) IS NOT NULL AS found', [name])).rows[0].found;

async function seriesOf(client: pg.Client): Promise<Series[]> {
  if (!(await hasTable(client, 'number_counters'))) return [];
  return (await client.query('SELECT workspace_id, type, year, last FROM number_counters')).rows;
}

/** Returns the databases of the services in a cluster. */
async function serviceNames(admin_url: string): Promise<string[]> {
  const rows = await inDatabase(admin_url, 'postgres', async (client) => {
    const query = `SELECT datname FROM pg_database WHERE NOT datistemplate AND datname <> 'postgres' ORDER BY datname`;
    return (await client.query(query)).rows as { datname: string }[];
  });
  return rows.map(({ datname }) => datname);
}

/** Reads the previous data. Commits a transaction, so that the archive leads to the present time. */
export async function readEarlierData(admin_url: string): Promise<EarlierData> {
  await inDatabase(admin_url, 'postgres', (client) => client.query('SELECT pg_current_xact_id()'));
  const numbers: Record<string, Series[]> = {};
  const revoked_keys: string[] = [];
  for (const service of await serviceNames(admin_url)) {
    await inDatabase(admin_url, service, async (client) => {
      numbers[service] = await seriesOf(client);
      if (!(await hasTable(client, 'api_keys'))) return;
      const { rows } = await client.query('SELECT id FROM api_keys WHERE revoked_at IS NOT NULL');
      revoked_keys.push(...rows.map(({ id }) => id as string));
    });
  }
  return { numbers, revoked_keys };
}

/** Effects of the restore on the data. */
export interface Consequences {
  epoch: number;
  sessions: number;
  api_keys: number;
  numbers: AssignedNumbers[];
}

/**
 * Begins an epoch in all databases of a restored cluster, and ends all sessions: it is unknown which of them ended after the
 * restore point. API keys that were revoked after the restore point are revoked again.
 */
export async function beginEpoch(admin_url: string, earlier: EarlierData | null): Promise<Consequences> {
  const services = await serviceNames(admin_url);
  const done: Consequences = { epoch: 0, sessions: 0, api_keys: 0, numbers: [] };
  for (const service of services) {
    await inDatabase(admin_url, service, async (client) => {
      const { rows } = await client.query(
        'SELECT greatest(epoch + 1, extract(epoch FROM clock_timestamp())::bigint)::float AS epoch FROM journal_relay',
      );
      done.epoch = Math.max(done.epoch, rows[0].epoch);
    });
  }
  for (const service of services) {
    await inDatabase(admin_url, service, async (client) => {
      await client.query('SELECT suite_begin_epoch($1)', [done.epoch]);
      done.sessions += await endSessions(client);
      done.api_keys += await revokeKeys(client, earlier?.revoked_keys ?? []);
      done.numbers.push(...numbersAfter(service, await seriesOf(client), earlier?.numbers[service] ?? []));
    });
  }
  return done;
}

async function endSessions(client: pg.Client): Promise<number> {
  if (!(await hasTable(client, 'sessions'))) return 0;
  const ended = await client.query(
    `UPDATE sessions SET revoked_at = clock_timestamp(), revoked_reason = 'restored' WHERE revoked_at IS NULL`,
  );
  return ended.rowCount ?? 0;
}

async function revokeKeys(client: pg.Client, ids: string[]): Promise<number> {
  if (!(await hasTable(client, 'api_keys'))) return 0;
  const revoked = await client.query(
    'UPDATE api_keys SET revoked_at = clock_timestamp() WHERE revoked_at IS NULL AND id = ANY($1)',
    [ids],
  );
  return revoked.rowCount ?? 0;
}

/** Returns the numbers that are in the previous series, and not in the restored series. */
function numbersAfter(service: string, restored: Series[], before: Series[]): AssignedNumbers[] {
  return before.flatMap(({ last, ...series }) => {
    const same = restored.find(
      ({ workspace_id, type, year }) =>
        workspace_id === series.workspace_id && type === series.type && year === series.year,
    );
    const first = (same?.last ?? 0) + 1;
    return first <= last ? [{ service, ...series, first, last }] : [];
  });
}
