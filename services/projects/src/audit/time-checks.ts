/** Invariants of time, as SQL that selects the rows that violate them. */
import type { Check } from '@suite/auditor';

export const timeChecks: Check[] = [
  {
    name: 'no two entries of a person overlap',
    sql: `
      SELECT one.workspace_id, one.id, other.id AS other_id FROM time_entries AS one JOIN time_entries AS other
        ON other.workspace_id = one.workspace_id AND other.user_id = one.user_id AND other.id > one.id
        AND tstzrange(one.started_at, one.ended_at, '[)') && tstzrange(other.started_at, other.ended_at, '[)')`,
  },
  {
    name: 'at most one timer of a person runs',
    sql: `
      SELECT workspace_id, user_id, count(*) AS running FROM time_entries WHERE ended_at IS NULL
      GROUP BY 1, 2 HAVING count(*) > 1`,
  },
  {
    name: 'the seconds of a task are those of its entries',
    sql: `
      SELECT items.workspace_id, items.id, items.tracked_seconds, coalesce(sum(entries.duration_seconds), 0) AS tracked
      FROM work_items AS items LEFT JOIN time_entries AS entries
        ON entries.workspace_id = items.workspace_id AND entries.task_id = items.id
      GROUP BY items.workspace_id, items.id, items.tracked_seconds
      HAVING items.tracked_seconds <> coalesce(sum(entries.duration_seconds), 0)`,
  },
  {
    name: 'the entries of an invoiced run add up to its lines, in seconds and in money',
    sql: `
      SELECT runs.workspace_id, runs.id, runs.net, runs.seconds, billed.net AS billed_net, billed.seconds AS billed_seconds
      FROM billing_runs AS runs CROSS JOIN LATERAL (
        SELECT coalesce(sum(invoiced_amount), 0) AS net, coalesce(sum(rounded_seconds), 0) AS seconds FROM time_entries
        WHERE time_entries.workspace_id = runs.workspace_id AND billing_run_id = runs.id) AS billed
      WHERE runs.status = 'invoiced' AND (billed.net <> runs.net OR billed.seconds <> runs.seconds)`,
  },
  {
    name: 'time is invoiced by an invoiced run, and by no other',
    sql: `
      SELECT entries.workspace_id, entries.id FROM time_entries AS entries LEFT JOIN billing_runs AS runs
        ON runs.workspace_id = entries.workspace_id AND runs.id = entries.billing_run_id
      WHERE (entries.status = 'invoiced') IS DISTINCT FROM (runs.status = 'invoiced' AND runs.sales_invoice_id = entries.invoice_id)
        AND (entries.status = 'invoiced' OR runs.status = 'invoiced')
        OR runs.status = 'released'`,
  },
];
