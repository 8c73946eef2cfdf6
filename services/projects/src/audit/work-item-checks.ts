/** Invariants of tasks and bugs. */
import type { AuditCheck } from '@suite/auditor';

export const workItemChecks: AuditCheck[] = [
  {
    name: 'live and retired numbers of a project are 1 to its counter, each once',
    sql: `
      SELECT projects.workspace_id, projects.id, last_number, count(number) AS numbers, max(number) AS last
      FROM projects LEFT JOIN (
        SELECT workspace_id, project_id, number FROM work_items
        UNION ALL SELECT workspace_id, project_id, number FROM retired_numbers) AS given
        ON given.workspace_id = projects.workspace_id AND given.project_id = projects.id
      GROUP BY 1, 2, 3
      HAVING count(number) <> last_number OR count(DISTINCT number) <> last_number OR coalesce(max(number), 0) <> last_number`,
  },
  {
    name: 'the progress of a project matches its tasks',
    sql: `
      SELECT projects.workspace_id, projects.id, countable_tasks, completed_tasks, tasks.countable, tasks.completed
      FROM projects LEFT JOIN (
        SELECT workspace_id, project_id, count(*) FILTER (WHERE "group" <> 'cancelled') AS countable,
          count(*) FILTER (WHERE "group" = 'completed') AS completed
        FROM work_items WHERE kind = 'task' GROUP BY 1, 2) AS tasks
        ON tasks.workspace_id = projects.workspace_id AND tasks.project_id = projects.id
      WHERE countable_tasks <> coalesce(tasks.countable, 0) OR completed_tasks <> coalesce(tasks.completed, 0)`,
  },
  {
    name: 'the progress of a milestone matches its tasks',
    sql: `
      SELECT milestones.workspace_id, milestones.id, countable_tasks, completed_tasks, tasks.countable, tasks.completed
      FROM milestones LEFT JOIN (
        SELECT workspace_id, milestone_id, count(*) FILTER (WHERE "group" <> 'cancelled') AS countable,
          count(*) FILTER (WHERE "group" = 'completed') AS completed
        FROM work_items WHERE kind = 'task' AND milestone_id IS NOT NULL GROUP BY 1, 2) AS tasks
        ON tasks.workspace_id = milestones.workspace_id AND tasks.milestone_id = milestones.id
      WHERE countable_tasks <> coalesce(tasks.countable, 0) OR completed_tasks <> coalesce(tasks.completed, 0)`,
  },
  {
    name: 'the history of a task or a bug ends in its current stage',
    sql: `
      SELECT work_items.workspace_id, work_items.id, work_items.stage_id, last.to_stage_id
      FROM work_items LEFT JOIN LATERAL (
        SELECT to_stage_id, project_id FROM stage_changes
        WHERE stage_changes.workspace_id = work_items.workspace_id AND item_id = work_items.id
        ORDER BY at DESC, id DESC LIMIT 1) AS last ON TRUE
      WHERE last.to_stage_id IS DISTINCT FROM work_items.stage_id OR last.project_id IS DISTINCT FROM work_items.project_id`,
  },
  {
    name: 'the burn-up of a project ends with its current and completed tasks',
    sql: `
      SELECT projects.workspace_id, projects.id, countable_tasks, completed_tasks, sums.scope, sums.completed
      FROM projects LEFT JOIN (
        SELECT workspace_id, project_id, sum(scope) AS scope, sum(completed) AS completed FROM scope_changes GROUP BY 1, 2) AS sums
        ON sums.workspace_id = projects.workspace_id AND sums.project_id = projects.id
      WHERE (countable_tasks, completed_tasks) <> (coalesce(sums.scope, 0), coalesce(sums.completed, 0))`,
  },
  {
    name: 'a task or a bug is in a stage of its kind, with the group of that stage',
    sql: `
      SELECT work_items.workspace_id, work_items.id, work_items.kind, work_items."group"
      FROM work_items JOIN stages ON stages.workspace_id = work_items.workspace_id AND stages.id = work_items.stage_id
      WHERE stages.kind <> work_items.kind OR stages."group" <> work_items."group"`,
  },
  {
    name: 'a closed bug has a resolution, and no other bug does',
    sql: `
      SELECT workspace_id, id, "group", resolution FROM work_items
      WHERE kind = 'bug' AND ("group" IN ('completed', 'cancelled')) <> (resolution IS NOT NULL)
        OR "group" = 'cancelled' AND resolution = 'fixed'`,
  },
  {
    name: 'assignees of a task or a bug are members of its project, and not viewers',
    sql: `
      SELECT work_items.workspace_id, work_items.id, assignees.user_id
      FROM assignees JOIN work_items ON work_items.workspace_id = assignees.workspace_id AND work_items.id = item_id
      WHERE work_items."group" NOT IN ('completed', 'cancelled') AND NOT EXISTS (
        SELECT FROM project_members AS member
        WHERE member.workspace_id = work_items.workspace_id AND member.project_id = work_items.project_id
          AND member.user_id = assignees.user_id AND member.role <> 'viewer')`,
  },
  {
    name: 'each assignment row matches its task or bug',
    sql: `
      SELECT workspace_id, item_id, user_id, said.project_id, said.kind, said.side, said.due_date,
        beside.project_id AS beside_project_id, beside.kind AS beside_kind, beside.side AS beside_side, beside.due_date AS beside_due_date
      FROM (
        SELECT assignees.workspace_id, item_id, user_id, project_id, kind, due_date,
          CASE WHEN "group" IN ('completed', 'cancelled') THEN "group" ELSE 'open' END AS side
        FROM assignees JOIN work_items ON work_items.workspace_id = assignees.workspace_id AND work_items.id = item_id) AS said
      FULL JOIN assigned_cards AS beside USING (workspace_id, item_id, user_id)
      WHERE (said.project_id, said.kind, said.side, said.due_date)
        IS DISTINCT FROM (beside.project_id, beside.kind, beside.side, beside.due_date)`,
  },
  {
    name: 'checklist entries are numbered from 0 without a gap',
    sql: `
      SELECT workspace_id, item_id, count(*) AS lines, max(position) AS last FROM subtasks GROUP BY 1, 2
      HAVING max(position) <> count(*) - 1 OR min(position) <> 0 OR count(DISTINCT position) <> count(*)`,
  },
];
