/** Progress of projects and milestones, and the history for reports. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import { countsOf, type WorkItemKind } from './card.rules.ts';

/** Project, milestone and group that count a task or a bug. */
interface ProgressKey {
  project_id: string;
  milestone_id: string | null;
  group: string;
}

/** Locks the given milestones and adds to their counters, in the order of their IDs to prevent deadlocks. */
async function addToMilestones(db: Db, changes: Map<string, { countable: number; completed: number }>): Promise<void> {
  for (const [id, { countable, completed }] of [...changes].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (countable === 0 && completed === 0) continue;
    await db.rows(sql`
      UPDATE milestones SET countable_tasks = countable_tasks + ${countable}::int,
        completed_tasks = completed_tasks + ${completed}::int
      WHERE id = ${id}::uuid`);
  }
}

/**
 * Updates the progress of projects and milestones for one task. The projects must be locked for update.
 * @param before null for a new task
 * @param after null for a deleted task
 */
export async function recountProgress(
  db: Db,
  kind: WorkItemKind,
  before: ProgressKey | null,
  after: ProgressKey | null,
  { skipProject = false } = {},
): Promise<void> {
  if (kind === 'bug') return;
  const sides = [
    { place: before, sign: -1 },
    { place: after, sign: 1 },
  ];
  const projects = new Map<string, { countable: number; completed: number }>();
  const milestones = new Map<string, { countable: number; completed: number }>();
  const add = (sums: typeof projects, id: string, sign: number, group: string) => {
    const { countable, completed } = countsOf(kind, group);
    const sum = sums.get(id) ?? { countable: 0, completed: 0 };
    sums.set(id, { countable: sum.countable + sign * countable, completed: sum.completed + sign * completed });
  };
  for (const { place, sign } of sides) {
    if (!place) continue;
    add(projects, place.project_id, sign, place.group);
    if (place.milestone_id) add(milestones, place.milestone_id, sign, place.group);
  }
  for (const [id, { countable, completed }] of skipProject ? [] : projects) {
    if (countable === 0 && completed === 0) continue;
    await db.rows(sql`
      UPDATE projects SET countable_tasks = countable_tasks + ${countable}::int,
        completed_tasks = completed_tasks + ${completed}::int
      WHERE id = ${id}::uuid`);
  }
  await addToMilestones(db, milestones);
}

/** Stage change of a task or a bug. */
interface StageChange {
  project_id: string;
  item_id: string;
  from?: { stage_id: string; group: string; since: Date };
  to?: { stage_id: string; group: string };
  /** True if the step follows another step with the same time. */
  follows?: boolean;
}

/** Records a step: without `from` for a new card, without `to` for a card that leaves the project. */
export async function recordStep(
  db: Db,
  { project_id, item_id, from, to, follows = false }: StageChange,
): Promise<void> {
  await db.rows(sql`
    INSERT INTO stage_changes (id, project_id, item_id, from_stage_id, from_group, to_stage_id, to_group, seconds_in_from, at)
    VALUES (${randomUUIDv7()}::uuid, ${project_id}::uuid, ${item_id}::uuid, ${from?.stage_id ?? null}::uuid, ${from?.group ?? null},
      ${to?.stage_id ?? null}::uuid, ${to?.group ?? null},
      greatest(0, extract(epoch FROM clock_timestamp() - ${from?.since ?? null}::timestamptz))::int,
      clock_timestamp() + ${follows ? 1 : 0}::int * interval '1 millisecond')`);
}
