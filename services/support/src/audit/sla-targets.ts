/**
 * Invariants of SLA targets: the values of tickets and SLA timers, recalculated from their intervals and from the
 * history.
 */
import type { AuditCheck } from '@suite/auditor';

/**
 * Returns SQL for the working seconds between two times by the hours of `terms`: by day, and by minute on DST changes.
 * The calculation differs from the service's, so that each reveals the mistakes of the other.
 */
const workedSeconds = (from: string, until: string): string => `(
  SELECT coalesce(sum(greatest(extract(epoch FROM least(ends, ${until}) - greatest(begins, ${from})), 0)), 0)
  FROM generate_series((${from} AT TIME ZONE terms.timezone)::date::timestamp,
      (${until} AT TIME ZONE terms.timezone)::date::timestamp, interval '1 day') AS day,
    LATERAL (SELECT day AT TIME ZONE terms.timezone AS midnight, (day + interval '1 day') AT TIME ZONE terms.timezone AS next) AS date,
    jsonb_array_elements(coalesce(terms.hours -> extract(isodow FROM day)::text, '[]')) AS span,
    LATERAL (
      SELECT (day::date + (span ->> 0)::time) AT TIME ZONE terms.timezone AS begins,
        (day::date + (span ->> 1)::time) AT TIME ZONE terms.timezone AS ends
      WHERE next - midnight = interval '24 hours'
      UNION ALL
      SELECT minute, minute + interval '1 minute' FROM generate_series(midnight, next - interval '1 minute', '1 minute') AS minute
      WHERE next - midnight <> interval '24 hours' AND (minute AT TIME ZONE terms.timezone)::time >= (span ->> 0)::time
        AND (minute AT TIME ZONE terms.timezone)::time < (span ->> 1)::time) AS part
  WHERE NOT EXISTS (SELECT FROM jsonb_array_elements(terms.holidays) AS free WHERE (free ->> 'date')::date = day::date))`;

export const slaTargetChecks: AuditCheck[] = [
  {
    name: 'the working time of an SLA timer’s interval follows its policy version',
    sql: `
      SELECT part.workspace_id, clock_id, position, worked_ms, ${workedSeconds('began_at', 'ended_at')} AS seconds
      FROM clock_intervals AS part JOIN sla_terms AS terms ON terms.id = part.terms_id
      WHERE ended_at IS NOT NULL AND round(${workedSeconds('began_at', 'ended_at')} * 1000) <> worked_ms`,
  },
  {
    name: 'a running SLA timer is due after the working time of its target',
    sql: `
      SELECT clock.workspace_id, clock.ticket_id, target, due FROM ticket_clocks AS clock
      JOIN sla_terms AS terms ON terms.id = clock.terms_id JOIN tickets ON tickets.id = clock.ticket_id
      JOIN clock_intervals AS part ON part.clock_id = clock.id AND ended_at IS NULL AND state = 'running',
      LATERAL (SELECT coalesce(sum(worked_ms), 0) AS used FROM clock_intervals AS past
        WHERE past.clock_id = clock.id AND past.ended_at IS NOT NULL AND past.state = 'running') AS past,
      LATERAL (SELECT CASE target WHEN 'first_response' THEN first_response_due WHEN 'resolution' THEN resolution_due END AS due) AS of
      WHERE target <> 'next_response' AND (due IS NULL OR (used < length_seconds::bigint * 1000 AND due < began_at + interval '90 years'
        AND round(used + ${workedSeconds('began_at', 'due')} * 1000) <> length_seconds::bigint * 1000))`,
  },
  {
    name: 'intervals of an SLA timer are consecutive, and only the last can be open',
    sql: `
      SELECT workspace_id, clock_id, position FROM (
        SELECT *, row_number() OVER clock - 1 AS place, lead(began_at) OVER clock AS next FROM clock_intervals
        WINDOW clock AS (PARTITION BY workspace_id, clock_id ORDER BY position)) AS part
      WHERE position <> place OR (next IS NOT NULL AND (ended_at IS NULL OR ended_at > next))`,
  },
  {
    name: "an SLA timer runs, is paused or has ended according to its ticket's status",
    sql: `
      SELECT tickets.workspace_id, tickets.id, status, target, part.state FROM tickets
      JOIN ticket_clocks AS clock ON clock.ticket_id = tickets.id
      LEFT JOIN sla_terms AS terms ON terms.id = tickets.terms_id
      LEFT JOIN clock_intervals AS part ON part.clock_id = clock.id AND part.ended_at IS NULL
      WHERE (part.state IS NOT NULL AND (clock.ended OR met_at IS NOT NULL)) OR (part.state IS NULL AND NOT clock.ended AND met_at IS NULL)
        OR (part.state IS NOT NULL AND (status IN ('merged', 'spam') OR deleted_at IS NOT NULL))
        OR (target <> 'resolution' AND part.state = 'paused')
        OR (target = 'resolution' AND NOT clock.ended AND part.state IS DISTINCT FROM CASE
          WHEN status IN ('resolved', 'closed') THEN NULL WHEN status = ANY (terms.pause_in) THEN 'paused' ELSE 'running' END)`,
  },
  {
    name: 'the SLA values of a ticket are the sums of its SLA timers’ intervals',
    // A running timer that is overdue has no breach in its row yet. The ticket's `next_due_at` shows the breach.
    sql: `
      SELECT tickets.workspace_id, tickets.id FROM tickets LEFT JOIN LATERAL (
        SELECT coalesce(floor(sum(paused) / 1000), 0) AS paused, min(breached_at) AS breached_at FROM (
          SELECT breached_at, (SELECT sum(worked_ms) FROM clock_intervals AS part WHERE part.clock_id = clock.id
            AND part.state = 'paused' AND part.ended_at IS NOT NULL AND clock.target = 'resolution') AS paused
          FROM ticket_clocks AS clock WHERE clock.ticket_id = tickets.id) AS clocks) AS summed ON TRUE
      LEFT JOIN LATERAL (
        SELECT met_at, CASE WHEN terms_id IS NOT NULL AND met_at IS NOT NULL THEN breached_at IS NULL END AS kept,
          CASE WHEN terms_id IS NOT NULL AND met_at IS NOT NULL THEN (SELECT floor(coalesce(sum(worked_ms), 0) / 1000)
            FROM clock_intervals AS part WHERE part.clock_id = clock.id AND part.state = 'running') END AS seconds
        FROM ticket_clocks AS clock WHERE clock.ticket_id = tickets.id AND target = 'first_response'
        ORDER BY run DESC LIMIT 1) AS first ON TRUE
      LEFT JOIN LATERAL (
        SELECT CASE WHEN terms_id IS NOT NULL AND met_at IS NOT NULL THEN breached_at IS NULL END AS kept,
          CASE WHEN terms_id IS NOT NULL AND met_at IS NOT NULL THEN (SELECT floor(coalesce(sum(worked_ms), 0) / 1000)
            FROM clock_intervals AS part WHERE part.clock_id = clock.id AND part.state = 'running') END AS seconds
        FROM ticket_clocks AS clock WHERE clock.ticket_id = tickets.id AND target = 'resolution'
        ORDER BY run DESC LIMIT 1) AS whole ON TRUE
      WHERE tickets.paused_seconds <> summed.paused OR (tickets.breached_at IS NOT NULL AND tickets.breached_at NOT IN (summed.breached_at, least(next_due_at, summed.breached_at)))
        OR (summed.breached_at IS NOT NULL AND tickets.breached_at IS NULL AND tickets.next_due_at > summed.breached_at)
        OR (first_responded_at, first_response_seconds, first_response_kept, resolution_seconds, resolution_kept)
          IS DISTINCT FROM (first.met_at, first.seconds, first.kept, whole.seconds, whole.kept)
        OR next_due_at > least(first_response_due, resolution_due)`,
  },
  {
    name: 'SLA timers were paused as long as their ticket was waiting in its history',
    // The history and the SLA timers record the same time. If the clocks of two processes differ, no interval ends
    // before it begins.
    sql: `
      WITH moves AS (
        SELECT workspace_id, ticket_id, at, id, diff -> 'status' ->> 0 AS was, diff -> 'status' ->> 1 AS became
        FROM activities WHERE verb = 'status_changed'),
      spans AS (
        SELECT ticket_id, became AS status, at AS since, lead(at) OVER (PARTITION BY ticket_id ORDER BY at, id) AS until FROM moves
        UNION ALL
        SELECT tickets.id, first.was, tickets.created_at, first.at FROM tickets, LATERAL (
          SELECT * FROM moves WHERE moves.ticket_id = tickets.id ORDER BY at, id LIMIT 1) AS first),
      told AS (
        SELECT ticket_id, sum(until - since) AS waited FROM spans WHERE status IN ('pending', 'on_hold') AND until IS NOT NULL
        GROUP BY 1),
      stood AS (
        SELECT clock.workspace_id, clock.ticket_id, bool_and(part.terms_id IS NOT NULL AND cardinality(terms.pause_in) = 2) AS is_usual,
          coalesce(sum(ended_at - began_at) FILTER (WHERE state = 'paused'), interval '0') AS paused
        FROM ticket_clocks AS clock JOIN clock_intervals AS part ON part.clock_id = clock.id
        LEFT JOIN sla_terms AS terms ON terms.id = part.terms_id
        WHERE target = 'resolution' AND ended_at IS NOT NULL AND NOT EXISTS (
          SELECT FROM clock_intervals AS lasting WHERE lasting.clock_id = clock.id AND lasting.ended_at IS NULL AND lasting.state = 'paused')
        GROUP BY 1, 2)
      SELECT workspace_id, ticket_id, paused, waited FROM stood LEFT JOIN told USING (ticket_id)
      WHERE is_usual AND abs(extract(epoch FROM paused - coalesce(waited, interval '0'))) > 1`,
  },
  {
    name: 'tickets and SLA timers refer to policy versions of their own workspace',
    sql: `
      SELECT named.workspace_id, named.terms_id FROM (
        SELECT workspace_id, terms_id FROM tickets UNION SELECT workspace_id, terms_id FROM ticket_clocks
        UNION SELECT workspace_id, terms_id FROM clock_intervals) AS named
      LEFT JOIN sla_terms AS terms ON terms.id = named.terms_id AND terms.workspace_id = named.workspace_id
      WHERE named.terms_id IS NOT NULL AND terms.id IS NULL`,
  },
  {
    name: 'counts of due times and durations match the tickets',
    sql: `
      WITH nobody AS (SELECT '00000000-0000-0000-0000-000000000000'::uuid AS id), dues AS (
        SELECT workspace_id, kind, user_id, date_bin('1 minute', due + interval '59.999 seconds', 'epoch') AS slot, count(*) AS tickets
        FROM tickets, nobody, LATERAL (VALUES ('first_response', first_response_due, nobody.id), ('resolution', resolution_due, nobody.id),
          ('next', next_due_at, coalesce(assignee_id, nobody.id)), ('warning', next_warning_at, nobody.id)) AS each (kind, due, user_id)
        WHERE deleted_at IS NULL AND due IS NOT NULL GROUP BY 1, 2, 3, 4),
      times AS (
        SELECT workspace_id, target, date_bin('1 hour', at, 'epoch') AS slot, count(*) AS tickets, sum(kept::int) AS kept,
          sum(took) AS seconds
        FROM tickets, LATERAL (VALUES ('first_response', first_responded_at, first_response_seconds, first_response_kept),
          ('resolution', resolved_at, resolution_seconds, resolution_kept)) AS each (target, at, took, kept)
        WHERE deleted_at IS NULL AND at IS NOT NULL AND took IS NOT NULL GROUP BY 1, 2, 3),
      kept_times AS (
        SELECT workspace_id, target, slot, sum(tickets) AS tickets, sum(kept) AS kept, sum(seconds) AS seconds FROM response_times
        GROUP BY 1, 2, 3)
      SELECT workspace_id, kind AS what, slot FROM ticket_dues AS counted FULL JOIN dues USING (workspace_id, kind, user_id, slot)
      WHERE coalesce(counted.tickets, 0) <> coalesce(dues.tickets, 0)
      UNION ALL
      SELECT workspace_id, target, slot FROM kept_times AS counted FULL JOIN times USING (workspace_id, target, slot)
      WHERE (coalesce(counted.tickets, 0), coalesce(counted.kept, 0), coalesce(counted.seconds, 0))
        <> (coalesce(times.tickets, 0), coalesce(times.kept, 0), coalesce(times.seconds, 0))`,
  },
];
