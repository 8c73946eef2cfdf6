/** Invariants of the projects database, as SQL that selects the rows that violate them. */
import type { AuditCheck } from '@suite/auditor';
import { workItemChecks } from './work-item-checks.ts';
import { timeChecks } from './time-checks.ts';

export const checks: AuditCheck[] = [
  ...timeChecks,
  {
    name: 'stages of a set are numbered from 0 without a gap, with one default',
    sql: `
      SELECT workspace_id, project_id, kind, count(*) AS stages, max("order") AS last,
        count(*) FILTER (WHERE is_default) AS defaults
      FROM stages GROUP BY 1, 2, 3
      HAVING max("order") <> count(*) - 1 OR min("order") <> 0 OR count(*) FILTER (WHERE is_default) <> 1`,
  },
  {
    name: 'a project board has a stage of the group completed',
    sql: `
      SELECT projects.workspace_id, projects.id, board.kind FROM projects CROSS JOIN (VALUES ('task'), ('bug')) AS board (kind)
      WHERE NOT EXISTS (SELECT FROM stages WHERE stages.workspace_id = projects.workspace_id
        AND stages.project_id = projects.id AND stages.kind = board.kind AND "group" = 'completed')`,
  },
  {
    name: 'a card has the kind and the group of its stage',
    sql: `
      SELECT card.workspace_id, card.id, card.kind, card."group", stages.kind AS stage_kind, stages."group" AS stage_group
      FROM work_items AS card JOIN stages ON stages.workspace_id = card.workspace_id AND stages.id = card.stage_id
      WHERE (card.kind, card."group") <> (stages.kind, stages."group")`,
  },
  {
    name: 'a project has a manager',
    sql: `
      SELECT workspace_id, id FROM projects WHERE NOT EXISTS (SELECT FROM project_members AS member
        WHERE member.workspace_id = projects.workspace_id AND member.project_id = projects.id AND role = 'manager')`,
  },
  {
    name: 'the code of a project resolves to the project',
    sql: `
      SELECT projects.workspace_id, projects.id, projects.code, codes.project_id AS leads_to
      FROM projects LEFT JOIN project_codes AS codes
        ON codes.workspace_id = projects.workspace_id AND codes.code = projects.code
      WHERE codes.project_id IS DISTINCT FROM projects.id`,
  },
  ...workItemChecks,
];
