/** Metrics of the dashboard. */
import { find, type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { clock, today } from '@suite/chassis/runtime';
import type { z } from 'zod';
import { roundToMinorUnit } from '@suite/document-lines';
import type { Db } from '../operations.ts';
import { userLabelOf } from '@suite/user-copies';
import type { Home } from './lead-app.schema.ts';

const RECENT = 10;

type HomeRow = z.input<typeof Home>;

/** Returns the start of the current month in the caller's time zone. */
const monthStart = ({ timezone }: Caller): Sql =>
  sql`date_trunc('month', ${clock.now()}::timestamptz AT TIME ZONE ${timezone}) AT TIME ZONE ${timezone}`;

async function leadMetrics(db: Db, caller: Caller, inPipeline: Sql) {
  const [figures] = await db.rows<HomeRow['leads']>(sql`
    SELECT count(*) FILTER (WHERE status = 'open') AS open,
      count(*) FILTER (WHERE status = 'lost') AS lost,
      count(*) FILTER (WHERE status = 'converted') AS converted,
      count(*) FILTER (WHERE created_at >= ${monthStart(caller)}) AS new_this_month,
      coalesce(sum(expected_value) FILTER (WHERE status = 'open'), 0) AS open_value
    FROM leads WHERE ${inPipeline}`);
  return figures as HomeRow['leads'];
}

async function dealMetrics(db: Db, caller: Caller, inPipeline: Sql) {
  const ours = sql`deals.currency = ${caller.currency}`;
  const wonThisMonth = sql`status = 'won' AND closed_at >= ${monthStart(caller)}`;
  const [figures] = await db.rows<NonNullable<HomeRow['deals']>>(sql`
    SELECT count(*) FILTER (WHERE status = 'open') AS open,
      count(*) FILTER (WHERE status = 'won') AS won,
      count(*) FILTER (WHERE status = 'lost') AS lost,
      count(*) FILTER (WHERE ${wonThisMonth}) AS won_this_month,
      coalesce(sum(price) FILTER (WHERE status = 'open' AND ${ours}), 0) AS open_value,
      coalesce(sum(${roundToMinorUnit(sql`price * probability / 100`, sql`currency`)}) FILTER (WHERE status = 'open' AND ${ours}), 0) AS weighted_value,
      coalesce(sum(price) FILTER (WHERE ${wonThisMonth} AND ${ours}), 0) AS won_value_this_month
    FROM deals JOIN (SELECT id AS stage, probability FROM deal_stages) AS stages ON stage = deals.stage_id
    WHERE ${inPipeline}`);
  return figures as NonNullable<HomeRow['deals']>;
}

async function taskMetrics(db: Db, caller: Caller, day: string) {
  const [figures] = await db.rows<HomeRow['tasks']>(sql`
    SELECT count(*) FILTER (WHERE date < ${day}::date) AS overdue, count(*) FILTER (WHERE date = ${day}::date) AS today
    FROM tasks WHERE assignee_id = ${caller.user_id}::uuid AND status = 'todo'`);
  return figures as HomeRow['tasks'];
}

const recentActivity = (db: Db, inPipeline: Sql) =>
  db.rows<HomeRow['recent'][number]>(sql`
    SELECT activities.id, activities.type, payload, at, ${userLabelOf(sql`actor_id`)} AS actor, leads.id AS lead_id, leads.name AS lead_name
    FROM activities JOIN leads ON leads.id = activities.lead_id
    WHERE ${inPipeline} ORDER BY at DESC, activities.id DESC LIMIT ${RECENT}`);

/** Returns the metrics of the dashboard in four statements. */
export async function showHome(db: Db, caller: Caller, pipeline_id: string | undefined): Promise<HomeRow> {
  if (pipeline_id) await find(db.pipeline, pipeline_id);
  const inPipeline = pipeline_id ? sql`pipeline_id = ${pipeline_id}::uuid` : sql`TRUE`;
  const day = today(caller.timezone);
  return {
    today: day,
    currency: caller.currency,
    leads: await leadMetrics(db, caller, inPipeline),
    deals: caller.permissions.includes('deal.view') ? await dealMetrics(db, caller, inPipeline) : null,
    tasks: await taskMetrics(db, caller, day),
    recent: await recentActivity(db, inPipeline),
  };
}
