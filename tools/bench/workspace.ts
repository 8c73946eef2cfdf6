/** Workspaces with leads, seeded beneath crm: a million of them through the API would take hours. */
import { randomUUID } from 'node:crypto';
import type { Caller } from '@suite/chassis/gateway';
import { connected } from './connect.ts';
import { idAt, withoutIndexes } from './without-indexes.ts';

/** A workspace of crm that exists for the bench. */
export interface Workspace {
  workspace_id: string;
  user_id: string;
}

/** Somebody who may do in crm what is measured. */
export const callerOf = ({ workspace_id, user_id }: Workspace): Caller => ({
  workspace_id,
  user_id,
  user_name: 'Kim Example',
  kind: 'owner',
  role: 'owner',
  permissions: ['lead.view', 'lead.create', 'pipeline.view', 'pipeline.create'],
  record_scopes: {},
  modules: ['crm'],
  timezone: 'Europe/Berlin',
  currency: 'EUR',
  session_id: workspace_id,
});

/** Makes a workspace with a default pipeline, through crm itself. */
export async function makeWorkspace(crm_url: string, authorize: (caller: Caller) => string): Promise<Workspace> {
  const workspace = { workspace_id: randomUUID(), user_id: randomUUID() };
  const headers = { authorization: authorize(callerOf(workspace)), 'content-type': 'application/json' };
  for (const [path, body] of [
    ['/api/pipeline/create', { name: 'Sales' }],
    // The first lead also leaves the copy of its owner that all others refer to.
    ['/api/lead/create', { name: 'Ada Lovelace' }],
  ] as const) {
    const response = await fetch(`${crm_url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.status !== 201) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
  }
  return workspace;
}

/** Four of five are open; they came in evenly over the last 300 days, and their ids rise with time as crm's do. */
const SEED = `
  INSERT INTO leads (id, workspace_id, name, email, phone, company, pipeline_id, stage_id, owner_id, status, lost_reason,
    expected_value, score, created_by, updated_by, created_at, updated_at, last_activity_at)
  SELECT ${idAt('at', 'hash')},
    $1, 'Lead ' || n, 'lead' || n || '@example.com', '+49 30 ' || n, 'Company ' || n % 5000, stage.pipeline_id, stage.id, $2,
    CASE WHEN is_lost THEN 'lost' ELSE 'open' END, CASE WHEN is_lost THEN 'No budget' END,
    (n * 37 % 1000000) / 100.0, n % 101, $2, $2, at, at, at
  FROM generate_series(1, $3::int) AS n
    CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', now() - interval '300 days' * (1 - n / $3::float)) AS at, md5(n::text) AS hash, n % 5 = 0 AS is_lost) AS facts
    JOIN lead_stages AS stage ON stage.workspace_id = $1 AND stage.position = CASE WHEN is_lost THEN 4 ELSE n % 4 END`;

/** Fills a workspace with leads. */
export const seedLeads = (database_url: string, { workspace_id, user_id }: Workspace, count: number): Promise<void> =>
  connected(database_url, (client) =>
    withoutIndexes(client, ['leads'], () => client.query(SEED, [workspace_id, user_id, count])),
  );

/**
 * The cursor in the middle of a workspace's open leads, newest first.
 * @param first the cursor behind the first page of the same list: it says what a cursor of this list begins with
 */
export const middle = (database_url: string, { workspace_id }: Workspace, first: string): Promise<string> =>
  connected(database_url, async (client) => {
    const { rows } = await client.query<{ created_at: Date; id: string }>(
      `SELECT created_at, id FROM leads WHERE workspace_id = $1 AND status = 'open' ORDER BY created_at DESC, id DESC
       OFFSET (SELECT count(*) / 2 FROM leads WHERE workspace_id = $1 AND status = 'open') LIMIT 1`,
      [workspace_id],
    );
    const [digest] = JSON.parse(Buffer.from(first, 'base64url').toString()) as [string];
    return Buffer.from(JSON.stringify([digest, rows[0]?.created_at, rows[0]?.id])).toString('base64url');
  });
