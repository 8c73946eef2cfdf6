/**
 * The baseline of crm: listing and creating leads, written by hand with express and pg, for one workspace. It has no
 * identity, permissions, list grammar or schema. The responses have the same JSON.
 */
import { randomUUIDv7 } from 'node:crypto';
import { createServer } from 'node:http';
import express from 'express';
import type pg from 'pg';
import { childSettings, listenForParent } from '../load/child-process.ts';
import { poolOf, transaction, user_id, workspace_id } from './program.ts';

const { database_url } = childSettings<{ database_url: string }>();
const pool = poolOf(database_url);

const TOTAL_MAX = 10_000;
const COLUMNS = [
  'id',
  'external_id',
  'name',
  'subject',
  'email',
  'phone',
  'company',
  'website',
  'job_title',
  'pipeline_id',
  'stage_id',
  'owner_id',
  'status',
  'lost_reason',
  'expected_value',
  'next_follow_up',
  'notes',
  'score',
  'origin',
  'consent',
  'attribution',
  'last_activity_at',
  'converted_at',
  'converted_deal_id',
  'created_by',
  'updated_by',
  'created_at',
  'updated_at',
  'version',
].join(', ');

/** A lead as returned by pg. */
interface Row {
  id: string;
  name: string;
  created_at: Date;
  expected_value: string | null;
  stage_id: string;
  pipeline_id: string;
}

/** Converts a row to a lead: `12.5000` → `12.50`. */
const lead = (row: Row) => ({ ...row, expected_value: row.expected_value?.replace(/0{1,2}$/, '') ?? null });

const app = express().disable('etag').disable('x-powered-by').set('query parser', 'simple');

app.get('/api/leads', async (request, response) => {
  const { status, per_page: asked, sort } = request.query;
  const per_page = Number(asked);
  if (sort !== '-created_at') return void response.status(422).json({ message: 'Sort by -created_at.' });
  const found = await pool.query<Row>(
    `SELECT ${COLUMNS} FROM leads WHERE workspace_id = $1 AND status = $2 ORDER BY created_at DESC, id DESC LIMIT $3`,
    [workspace_id, status, per_page + 1],
  );
  const counted = await pool.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM (SELECT FROM leads WHERE workspace_id = $1 AND status = $2 LIMIT $3) AS matching',
    [workspace_id, status, TOTAL_MAX + 1],
  );
  const rows = found.rows.slice(0, per_page);
  const total = counted.rows[0]?.total ?? 0;
  const last = found.rows.length > per_page ? rows.at(-1) : undefined;
  response.json({
    data: rows.map(lead),
    meta: {
      page: 1,
      per_page,
      total: Math.min(total, TOTAL_MAX),
      total_is_exact: total <= TOTAL_MAX,
      next_cursor: last ? Buffer.from(JSON.stringify([last.created_at, last.id])).toString('base64url') : null,
    },
  });
});

const ANNOUNCE = `
  WITH next AS (
    INSERT INTO aggregate_versions AS a (workspace_id, aggregate_id, version) VALUES ($2, $3, 1)
    ON CONFLICT (workspace_id, aggregate_id) DO UPDATE SET version = a.version + 1 RETURNING version)
  INSERT INTO outbox (id, workspace_id, type, schema_version, aggregate_id, aggregate_version, actor, data, published_at)
  SELECT $1, $2, 'crm.lead.created', 'v1', $3, version, $4, $5, now() FROM next`;

/** Writes the rows of a new lead. A trigger on the table writes the audit row, which is the common solution. */
async function create(client: pg.PoolClient, { name, email, phone, company, expected_value }: Partial<Row> & Contact) {
  const { rows: stages } = await client.query<{ id: string; pipeline_id: string; name: string }>(
    `SELECT stage.id, stage.pipeline_id, stage.name FROM lead_stages AS stage JOIN pipelines ON pipelines.id = stage.pipeline_id
     WHERE pipelines.workspace_id = $1 AND is_default ORDER BY stage.position LIMIT 1`,
    [workspace_id],
  );
  const [stage] = stages;
  if (!stage) throw new Error('Pipeline not found.');
  const { rows } = await client.query<Row>(
    `INSERT INTO leads (id, workspace_id, name, email, phone, company, expected_value, pipeline_id, stage_id, owner_id, created_by, updated_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, $10) RETURNING ${COLUMNS}`,
    [randomUUIDv7(), workspace_id, name, email, phone, company, expected_value, stage.pipeline_id, stage.id, user_id],
  );
  const made = rows[0]!;
  await client.query(
    `INSERT INTO stage_changes (id, workspace_id, lead_id, to_stage_id, to_name, by) VALUES ($1, $2, $3, $4, $5, $6)`,
    [randomUUIDv7(), workspace_id, made.id, stage.id, stage.name, user_id],
  );
  await client.query(
    `INSERT INTO activities (id, workspace_id, lead_id, type, payload, actor_id) VALUES ($1, $2, $3, 'created', $4, $5)`,
    [randomUUIDv7(), workspace_id, made.id, { name, stage: stage.name }, user_id],
  );
  // Marked as published: this program does not publish events, and crm must not publish them instead.
  const { pipeline_id, stage_id } = made;
  const event = { lead_id: made.id, name, pipeline_id, stage_id, owner_id: user_id, origin: 'manual' };
  await client.query(ANNOUNCE, [randomUUIDv7(), workspace_id, made.id, JSON.stringify({ user_id }), event]);
  return lead(made);
}

interface Contact {
  email?: string;
  phone?: string;
  company?: string;
}

app.post('/api/lead/create', express.json(), async (request, response) => {
  const body = request.body as Partial<Row> & Contact;
  if (typeof body.name !== 'string' || !body.name) return void response.status(422).json({ message: 'Give a name.' });
  const data = await transaction(pool, 'leads.create', (client) => create(client, body));
  response.status(201).json({ data });
});

listenForParent(createServer(app));
