/** Invariants of time, as SQL that selects the rows that violate them. */
import type { AuditCheck } from '@suite/auditor';

export const timeChecks: AuditCheck[] = [
  {
    name: 'no two time entries of a user overlap',
    sql: `
      SELECT one.workspace_id, one.id, other.id AS other_id FROM time_entries AS one JOIN time_entries AS other
        ON other.workspace_id = one.workspace_id AND other.user_id = one.user_id AND other.id > one.id
        AND tstzrange(one.started_at, one.ended_at, '[)') && tstzrange(other.started_at, other.ended_at, '[)')`,
  },
  {
    name: 'a user has at most one running timer',
    sql: `
      SELECT workspace_id, user_id, count(*) AS running FROM time_entries WHERE ended_at IS NULL
      GROUP BY 1, 2 HAVING count(*) > 1`,
  },
  {
    name: 'the seconds of a task are the sum of its time entries',
    sql: `
      SELECT items.workspace_id, items.id, items.tracked_seconds, coalesce(sum(entries.duration_seconds), 0) AS tracked
      FROM work_items AS items LEFT JOIN time_entries AS entries
        ON entries.workspace_id = items.workspace_id AND entries.task_id = items.id
      GROUP BY items.workspace_id, items.id, items.tracked_seconds
      HAVING items.tracked_seconds <> coalesce(sum(entries.duration_seconds), 0)`,
  },
  {
    name: 'the time of a user on a project matches their time entries, in seconds and in cost',
    sql: `
      SELECT workspace_id, project_id, user_id, sums.tracked, entries.tracked AS entries_tracked, sums.cost, entries.cost AS entries_cost
      FROM (
        SELECT workspace_id, project_id, user_id, tracked_seconds AS tracked, billable_seconds AS billable, cost_seconds AS cost
        FROM member_time WHERE tracked_seconds <> 0 OR cost_seconds <> 0) AS sums
      FULL JOIN (
        SELECT workspace_id, project_id, user_id, sum(duration_seconds) AS tracked,
          coalesce(sum(duration_seconds) FILTER (WHERE billable), 0) AS billable,
          sum(duration_seconds * coalesce(cost_rate, 0)) AS cost
        FROM time_entries WHERE duration_seconds > 0 GROUP BY 1, 2, 3) AS entries USING (workspace_id, project_id, user_id)
      WHERE (sums.tracked, sums.billable, sums.cost) IS DISTINCT FROM (entries.tracked, entries.billable, entries.cost)`,
  },
  {
    name: 'entries of an invoiced run add up to its lines, in seconds and in money',
    sql: `
      SELECT runs.workspace_id, runs.id, runs.net, runs.seconds, billed.net AS billed_net, billed.seconds AS billed_seconds
      FROM billing_runs AS runs CROSS JOIN LATERAL (
        SELECT coalesce(sum(invoiced_amount), 0) AS net, coalesce(sum(rounded_seconds), 0) AS seconds FROM time_entries
        WHERE time_entries.workspace_id = runs.workspace_id AND billing_run_id = runs.id) AS billed
      WHERE runs.status = 'invoiced' AND (billed.net <> runs.net OR billed.seconds <> runs.seconds)`,
  },
  {
    name: 'no time is claimed for an invoice for longer than an hour',
    sql: `
      SELECT runs.workspace_id, runs.id, runs.created_at, count(entries.id) AS entries
      FROM billing_runs AS runs JOIN time_entries AS entries
        ON entries.workspace_id = runs.workspace_id AND entries.billing_run_id = runs.id
      WHERE runs.status = 'claimed' AND runs.created_at < now() - interval '1 hour' GROUP BY 1, 2, 3`,
  },
  {
    name: 'only an invoiced run has invoiced time',
    sql: `
      SELECT entries.workspace_id, entries.id FROM time_entries AS entries LEFT JOIN billing_runs AS runs
        ON runs.workspace_id = entries.workspace_id AND runs.id = entries.billing_run_id
      WHERE (entries.status = 'invoiced') IS DISTINCT FROM (runs.status = 'invoiced' AND runs.sales_invoice_id = entries.invoice_id)
        AND (entries.status = 'invoiced' OR runs.status = 'invoiced')
        OR runs.status = 'released'`,
  },
];
