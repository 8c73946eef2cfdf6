/** Invariants of the database of the support desk, as SQL that selects the rows that violate them. */
import type { Check } from '@suite/auditor';

export const checks: Check[] = [
  {
    name: 'the numbers of tickets have no gap: as many were given as the counter says, the last of them the highest',
    sql: `
      SELECT coalesce(counter.workspace_id, given.workspace_id) AS workspace_id, counter.last, given.times, given.highest
      FROM (SELECT * FROM number_counters WHERE type = 'ticket') AS counter FULL JOIN (
        SELECT workspace_id, count(*) AS times, max(number) AS highest FROM tickets GROUP BY 1) AS given USING (workspace_id)
      WHERE (coalesce(counter.last, 0), 'T-' || lpad(coalesce(counter.last, 0)::text, 6, '0'))
        IS DISTINCT FROM (coalesce(given.times, 0), coalesce(given.highest, 'T-000000'))`,
  },
];
