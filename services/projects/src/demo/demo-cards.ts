/** Demo tasks and bugs for the existing projects. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import {
  dayOf,
  daysFrom,
  isChosen,
  insertRows,
  randomMoment,
  pickOne,
  randomNumber,
  pickSome,
  pickWeighted,
  withIds,
} from '@suite/demo';
import type { Prisma } from '../generated/client.ts';
import type { Db } from '../operations.ts';
import { countsOf, isClosedGroup, type WorkItemKind } from '../work/work-items/card.rules.ts';
import { BUG_TITLES, REMARKS, STEPS_OF_TASKS, TASK_OBJECTS, TASK_VERBS } from './wording.ts';

/** Number of tasks and bugs of each project. */
const TASKS = 24;
const BUGS = 4;
const DAYS = 120;

interface DemoStage {
  id: string;
  kind: string;
  group: string;
  is_default: boolean;
}

/** Demo project with its members and the records that tasks can name. */
interface DemoProject {
  id: string;
  code: string;
  status: string;
  stages: DemoStage[];
  milestone_ids: string[];
  member_ids: string[];
}

interface CardRows {
  items: Prisma.WorkItemCreateManyInput[];
  changes: Prisma.StageChangeCreateManyInput[];
  assignees: Prisma.AssigneeCreateManyInput[];
  watchers: Prisma.WatcherCreateManyInput[];
  subtasks: Prisma.SubtaskCreateManyInput[];
  comments: Prisma.CommentCreateManyInput[];
  activities: Prisma.ActivityCreateManyInput[];
}

const findProjects = (db: Db) =>
  db.rows<DemoProject>(sql`
    SELECT id, code, status,
      (SELECT coalesce(json_agg(json_build_object('id', stages.id, 'kind', kind, 'group', "group", 'is_default', is_default)
        ORDER BY "order"), '[]') FROM stages WHERE project_id = projects.id) AS stages,
      ARRAY(SELECT milestones.id FROM milestones WHERE project_id = projects.id ORDER BY end_date, id) AS milestone_ids,
      ARRAY(SELECT user_id FROM project_members WHERE project_id = projects.id AND role <> 'viewer' ORDER BY user_id) AS member_ids
    FROM projects WHERE NOT is_template AND status <> 'cancelled' ORDER BY created_at, id`);

const titleOf = (kind: WorkItemKind): string =>
  kind === 'task' ? `${pickOne(TASK_VERBS)} ${pickOne(TASK_OBJECTS)}` : pickOne(BUG_TITLES);

function resolutionOf(group: string) {
  if (!isClosedGroup(group)) return null;
  return group === 'completed' ? 'fixed' : pickWeighted([[2, 'wont_fix'] as const, [1, 'cannot_reproduce'] as const]);
}

const bugColumns = (group: string, reporter_id: string | null) => ({
  severity: pickWeighted([
    [4, 'minor'],
    [4, 'major'],
    [2, 'critical'],
    [1, 'blocker'],
  ]),
  environment: pickOne(['Firefox 140', 'Chrome 146', 'Safari 19', null]),
  steps: 'Open the page, and press the button twice.',
  resolution: resolutionOf(group),
  reporter_id,
});

/** Adds the checklist and comments. */
function addDetails(rows: CardRows, item_id: string, kind: WorkItemKind, at: Date, people: string[], now: Date): void {
  if (kind === 'task')
    for (const [position, name] of pickSome(STEPS_OF_TASKS, 4).entries())
      rows.subtasks.push({ id: randomUUIDv7(), item_id, name, position, done: isChosen(0.5) });
  for (const body of pickSome(REMARKS, 3)) {
    const author_id = people.length > 0 ? pickOne(people) : null;
    const created_at = randomMoment(at, now);
    const visibility = isChosen(0.2) ? 'client' : 'team';
    rows.comments.push({ id: randomUUIDv7(), item_id, author_id, body, visibility, created_at, created_by: author_id });
  }
}

/** Adds the history of an item: creation in the default stage, and moves to its current stage. */
function addWalk(
  rows: CardRows,
  { id, project_id, author }: { id: string; project_id: string; author: string | null },
  begins: { stage: DemoStage; at: Date },
  ends: { stage: DemoStage; at: Date },
): void {
  const made = {
    item_id: id,
    project_id,
    to_stage_id: begins.stage.id,
    to_group: begins.stage.group,
    actor_id: author,
    at: begins.at,
  };
  rows.changes.push(made);
  if (ends.stage.id === begins.stage.id) return;
  rows.changes.push({
    ...made,
    from_stage_id: begins.stage.id,
    from_group: begins.stage.group,
    to_stage_id: ends.stage.id,
    to_group: ends.stage.group,
    seconds_in_from: Math.round((ends.at.getTime() - begins.at.getTime()) / 1000),
    at: ends.at,
  });
}

/** Adds a task or a bug with its stage changes. */
function addItem(rows: CardRows, project: DemoProject, kind: WorkItemKind, numbered: number, now: Date): void {
  const { id: project_id, code, member_ids, milestone_ids } = project;
  const stages = project.stages.filter((stage) => stage.kind === kind);
  const begins = stages.find(({ is_default }) => is_default);
  if (!begins) return;
  const isDone = project.status === 'finished' || isChosen(0.45);
  const stage = isDone && !isChosen(0.1) ? stages.find(({ group }) => group === 'completed')! : pickOne(stages);
  const [id, title] = [randomUUIDv7(), titleOf(kind)];
  const created_at = daysFrom(now, -randomNumber(2, DAYS));
  const stage_since = stage.id === begins.id ? created_at : randomMoment(created_at, now);
  const author = member_ids.length > 0 ? pickOne(member_ids) : null;
  const due = isChosen(0.7) ? dayOf(daysFrom(now, randomNumber(-20, 60))) : null;
  rows.items.push({
    id,
    kind,
    project_id,
    number: numbered,
    title,
    priority: pickWeighted([
      [2, 'low'],
      [5, 'medium'],
      [3, 'high'],
      [1, 'urgent'],
    ]),
    stage_id: stage.id,
    stage_since,
    group: stage.group,
    // Placed before future cards, whose ranks start with 1.
    rank: String(numbered - 1_000),
    milestone_id: kind === 'task' && milestone_ids.length > 0 && isChosen(0.6) ? pickOne(milestone_ids) : null,
    due_date: due,
    estimate_minutes: isChosen(0.8) ? randomNumber(30, 960, 30) : null,
    client_visible: isChosen(0.2),
    completed_at: stage.group === 'completed' ? stage_since : null,
    created_at,
    created_by: author,
    ...(kind === 'bug' && bugColumns(stage.group, author)),
  });
  addWalk(rows, { id, project_id, author }, { stage: begins, at: created_at }, { stage, at: stage_since });
  for (const user_id of pickSome(member_ids, 2)) rows.assignees.push({ item_id: id, user_id });
  if (author) rows.watchers.push({ item_id: id, user_id: author });
  const object = { object_type: kind, object_id: id, object_label: `${code}-${numbered} ${title}` };
  rows.activities.push({ ...object, project_id, verb: 'created', actor_id: author, at: created_at });
  addDetails(rows, id, kind, created_at, member_ids, now);
}

/** Updates the counters of projects and milestones. */
async function count(db: Db, items: CardRows['items']): Promise<void> {
  const sumItemsBy = (of: (item: CardRows['items'][number]) => string | null | undefined) => {
    const found = new Map<string, { last: number; countable: number; completed: number }>();
    for (const item of items) {
      const key = of(item);
      if (!key) continue;
      const { countable, completed } = countsOf(item.kind as WorkItemKind, item.group as string);
      const sum = found.get(key) ?? { last: 0, countable: 0, completed: 0 };
      const last = Math.max(sum.last, item.number);
      found.set(key, { last, countable: sum.countable + countable, completed: sum.completed + completed });
    }
    return JSON.stringify([...found].map(([id, sum]) => ({ id, ...sum })));
  };
  await db.rows(sql`
    UPDATE projects SET last_number = last, countable_tasks = countable, completed_tasks = completed
    FROM jsonb_to_recordset(${sumItemsBy(({ project_id }) => project_id)}::jsonb)
      AS sum (id uuid, last int, countable int, completed int) WHERE projects.id = sum.id`);
  await db.rows(sql`
    UPDATE milestones SET countable_tasks = countable, completed_tasks = completed
    FROM jsonb_to_recordset(${sumItemsBy(({ milestone_id }) => milestone_id)}::jsonb)
      AS sum (id uuid, countable int, completed int) WHERE milestones.id = sum.id`);
}

/** Fills the projects of a demo workspace, unless they already have tasks. */
export async function fillWorkItems(db: Db): Promise<void> {
  if ((await db.workItem.count()) > 0) return;
  const projects = await findProjects(db);
  if (projects.length === 0) return;
  const now = clock.now();
  const rows: CardRows = {
    items: [],
    changes: [],
    assignees: [],
    watchers: [],
    subtasks: [],
    comments: [],
    activities: [],
  };
  const numbers = new Map<string, number>();
  for (let at = 0; at < (TASKS + BUGS) * projects.length; at += 1) {
    const project = projects[at % projects.length]!;
    const numbered = (numbers.get(project.id) ?? 0) + 1;
    numbers.set(project.id, numbered);
    addItem(rows, project, numbered <= TASKS ? 'task' : 'bug', numbered, now);
  }
  await insertRows(db, 'work_items', rows.items);
  await insertRows(db, 'stage_changes', withIds(rows.changes));
  await insertRows(db, 'assignees', rows.assignees);
  await insertRows(db, 'watchers', rows.watchers, { skipDuplicates: true });
  await insertRows(db, 'subtasks', rows.subtasks);
  await insertRows(db, 'comments', rows.comments);
  await insertRows(db, 'activities', withIds(rows.activities));
  await count(db, rows.items);
}
