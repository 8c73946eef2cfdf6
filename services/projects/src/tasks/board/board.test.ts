import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, runConcurrently } from '@suite/testing';
import fc from 'fast-check';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { type ProjectFixture, makeProject } from '../../../test/project.ts';

const { serving, office: openOffice, violations } = await openProjects();
let office: ProjectsFixture;
let project: ProjectFixture;
beforeEach(async () => {
  office = await openOffice();
  project = await makeProject(serving, office);
});

interface Card {
  id: string;
  title: string;
  position: number | null;
}
interface Column {
  name: string;
  count: number;
  over_limit: boolean;
  tasks: Card[];
}

const task = async (title: string, body: object = {}) =>
  (await office.owner.post(`/api/project/${project.id}/task/create`, { title, ...body })).body.data;
const move = (id: string, stage: string, position?: number, by: Member = office.owner) =>
  by.post('/api/lightproj/task-stage-update', { task_id: id, stage_id: project.taskStages[stage], position });
const board = async (query = '', by: Member = office.owner): Promise<Column[]> =>
  (await by.get(`/api/project/${project.id}/task-board?per_column=500${query}`)).body.data.columns;
const column = async (name: string, query = '', by: Member = office.owner) =>
  (await board(query, by)).find((one) => one.name === name)?.tasks.map(({ title, position }) => `${position} ${title}`);

describe('a board', () => {
  test('shows each stage with its cards in order', async () => {
    for (const title of ['A', 'B', 'C']) await task(title);
    await task('D', { position: 0 });
    await task('E', { position: 2 });
    expect(await column('To do')).toEqual(['0 D', '1 A', '2 E', '3 B', '4 C']);
    expect((await board()).map(({ name, count }) => `${name} ${count}`)).toEqual([
      'Backlog 0',
      'To do 5',
      'In progress 0',
      'In review 0',
      'Done 0',
      'Cancelled 0',
    ]);
  });

  test.each([
    [0, ['0 D', '1 A', '2 B', '3 C']],
    [1, ['0 A', '1 D', '2 B', '3 C']],
    [2, ['0 A', '1 B', '2 D', '3 C']],
    [99, ['0 A', '1 B', '2 C', '3 D']],
  ])('moves a card to position %i', async (position, expected) => {
    const [, , , last] = [await task('A'), await task('B'), await task('C'), await task('D')];
    const { body } = await move(last.id, 'To do', position);
    expect(await column('To do')).toEqual(expected);
    expect(body.data.position).toBe(Math.min(position, 3));
    expect((await move(last.id, 'To do')).body.data.version).toBe(body.data.version);
  });

  test('keeps the order and versions after many moves to one position', async () => {
    for (const title of ['A', 'B', 'C', 'D']) await task(title);
    const [a, , c, d] = (await board()).find(({ name }) => name === 'To do')!.tasks;
    for (let drag = 0; drag < 130; drag += 1) expect((await move((drag % 2 ? c : d)!.id, 'To do', 1)).status).toBe(200);
    expect(await column('To do')).toEqual(['0 A', '1 C', '2 D', '3 B']);
    const [{ most, digits }] = (await serving.sql<{ most: number; digits: number }>`
      SELECT max(version) FILTER (WHERE title IN ('A', 'B'))::int AS most, max(scale(trim_scale(rank)))::int AS digits
      FROM work_items WHERE project_id = ${project.id}`) as [{ most: number; digits: number }];
    expect({ most, isShort: digits <= 24, a: a!.title }).toEqual({ most: 1, isShort: true, a: 'A' });
  });

  test('can be filtered, and then returns no positions', async () => {
    const first = await task('A', { priority: 'high', tags: ['docs'], due_date: '2020-01-01' });
    await task('B', { parent_id: first.id });
    expect(await column('To do', '&priority=high')).toEqual(['null A']);
    expect(await column('To do', '&tag=docs')).toEqual(['null A']);
    expect(await column('To do', '&is_overdue=true')).toEqual(['null A']);
    expect(await column('To do', `&parent_id=${first.id}`)).toEqual(['null B']);
    expect(await column('To do', '&q=b')).toEqual(['null B']);
    expect((await board('&priority=urgent')).reduce((sum, { count }) => sum + count, 0)).toBe(0);
  });

  test('shows a page of a column, with the count of all cards', async () => {
    for (const title of ['A', 'B', 'C']) await task(title);
    const path = `/api/project/${project.id}/task-board?stage_id=${project.taskStages['To do']}`;
    const { columns } = (await office.owner.get(`${path}&per_column=1&offset=1`)).body.data;
    expect(columns).toMatchObject([{ count: 3, tasks: [{ title: 'B', position: 1 }] }]);
    expect((await office.owner.get(`${path}&per_column=501`)).status).toBe(422);
    expect((await office.owner.get(`${path}&color=red`)).status).toBe(422);
  });

  test('returns the same response in the light module', async () => {
    await task('A', { subtasks: [{ name: 'One' }] });
    const light = await office.owner.post('/api/lightproj/taskboard', { project_id: project.id });
    const { body } = await office.owner.get(`/api/project/${project.id}/task-board`);
    expect(light).toMatchObject({ status: 200, body: { data: body.data } });
    expect(body.data.columns[1].tasks[0]).toMatchObject({ subtasks: { done: 0, total: 1 }, blocked: false });
  });
});

describe('a limit', () => {
  const limit = (wip_limit: number) =>
    serving.sql`UPDATE stages SET wip_limit = ${wip_limit} WHERE id = ${project.taskStages['In progress']!}`;

  test('rejects a card beyond it, but allows moves within and out of the column', async () => {
    const [a, b] = [await task('A'), await task('B')];
    await limit(1);
    expect((await move(a.id, 'In progress')).status).toBe(200);
    expect(await move(b.id, 'In progress')).toMatchObject({
      status: 409,
      body: { code: 'wip_limit', details: { limit: 1, count: 1 } },
    });
    expect(sortedStatuses([await move(a.id, 'In progress', 0), await move(a.id, 'Done')])).toEqual([200, 200]);
  });

  test('holds for fifty concurrent moves', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 10; at += 1) ids.push((await task(`T${at}`)).id);
    await limit(3);
    const replies = await runConcurrently(10, (at) => move(ids[at]!, 'In progress'));
    expect(sortedStatuses(replies)).toEqual([...Array(3).fill(200), ...Array(7).fill(409)]);
    expect(await violations(office)).toEqual([]);
  });

  test('warns without rejecting a card if the project is configured to warn', async () => {
    await serving.sql`UPDATE projects SET wip_policy = 'warn' WHERE id = ${project.id}`;
    const [a, b] = [await task('A'), await task('B')];
    await limit(1);
    expect((await move(a.id, 'In progress')).body.data.over_limit).toBe(false);
    expect((await move(b.id, 'In progress')).body.data.over_limit).toBe(true);
    expect((await board()).find(({ name }) => name === 'In progress')).toMatchObject({ over_limit: true, count: 2 });
  });
});

describe('fifty concurrent drags', () => {
  test('lose and duplicate no card if all move to one position', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 20; at += 1) ids.push((await task(`T${at}`)).id);
    const replies = await runConcurrently(50, (at) => move(ids[at % 20]!, at % 2 ? 'In progress' : 'Done', 1));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    const columns = await board();
    const titles = columns.flatMap(({ tasks }) => tasks.map(({ title }) => title));
    expect(titles.toSorted()).toEqual(ids.map((_, at) => `T${at}`).toSorted());
    for (const { tasks } of columns) expect(tasks.map(({ position }) => position)).toEqual([...tasks.keys()]);
    const ranks = await serving.sql`
      SELECT stage_id, rank FROM work_items WHERE workspace_id = ${office.workspace} GROUP BY 1, 2 HAVING count(*) > 1`;
    expect(ranks).toEqual([]);
    expect(await violations(office)).toEqual([]);
  });
});

test('orders a board as a list after the same operations', async () => {
  const stages = ['To do', 'In progress', 'Done'];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(7), fc.nat(2), fc.option(fc.nat(9), { nil: undefined })), {
        minLength: 5,
        maxLength: 15,
      }),
      async (drags) => {
        project = await makeProject(serving, office);
        const model = new Map(stages.map((name) => [name, [] as string[]]));
        const ids: string[] = [];
        for (let at = 0; at < 8; at += 1) {
          ids.push((await task(`T${at}`)).id);
          model.get('To do')!.push(`T${at}`);
        }
        for (const [card, to, position] of drags) {
          const [title, stage] = [`T${card}`, stages[to]!];
          const target = model.get(stage)!;
          if (position === undefined && target.includes(title)) continue;
          for (const cards of model.values()) if (cards.includes(title)) cards.splice(cards.indexOf(title), 1);
          target.splice(position ?? target.length, 0, title);
          expect((await move(ids[card]!, stage, position)).status).toBe(200);
        }
        const shown = new Map((await board()).map(({ name, tasks }) => [name, tasks.map(({ title }) => title)]));
        for (const [name, cards] of model) expect(shown.get(name)).toEqual(cards);
      },
    ),
    // Moves a card to the end by position, then another one without a position.
    {
      numRuns: 8,
      examples: [
        [
          [
            [0, 1, undefined],
            [1, 1, 1],
            [0, 1, 1],
            [2, 1, undefined],
          ],
        ],
      ],
    },
  );
  expect(await violations(office)).toEqual([]);
});
