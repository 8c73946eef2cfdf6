/** Invariants of the database of projects, as SQL that selects the rows that violate them. */
import type { Check } from '@suite/auditor';
import { timeChecks } from './time-checks.ts';

export const checks: Check[] = [
  ...timeChecks,
  {
    name: 'the stages of a set are numbered from 0 without a gap, and one of them takes new cards',
    sql: `
      SELECT workspace_id, project_id, kind, count(*) AS stages, max("order") AS last,
        count(*) FILTER (WHERE is_default) AS defaults
      FROM stages GROUP BY 1, 2, 3
      HAVING max("order") <> count(*) - 1 OR min("order") <> 0 OR count(*) FILTER (WHERE is_default) <> 1`,
  },
];
