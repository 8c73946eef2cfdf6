import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, freezeClock } from '@suite/testing';
import { openProjects } from '../../test/fixture.ts';
import { makeProject } from '../../test/project.ts';
import { reportedProject, TODAY } from '../../test/reported-project.ts';

const fixture = await openProjects();
const { serving, violations } = fixture;
type ReportedProject = Awaited<ReturnType<typeof reportedProject>>;
let office: ReportedProject['office'];
let owner: ReportedProject['owner'];
let project: ReportedProject['project'];
let reportOf: ReportedProject['reportOf'];
let task: ReportedProject['task'];
let stage: ReportedProject['stage'];
beforeEach(async () => {
  ({ office, owner, project, reportOf, task, stage } = await reportedProject(fixture));
});

/** Adds the history of a task, as timed moves between stage groups. */
async function history(project_id: string, ...steps: [string, string | null, string | null][]): Promise<void> {
  const { taskStages } = project;
  const stageOf = {
    started: taskStages['In progress'],
    completed: taskStages['Done'],
    cancelled: taskStages['Cancelled'],
  };
  for (const [at, from, to] of steps)
    await serving.sql`
      INSERT INTO stage_changes (id, workspace_id, project_id, item_id, from_stage_id, from_group, to_stage_id, to_group, at)
      VALUES (gen_random_uuid(), ${office.workspace}, ${project_id}, gen_random_uuid(),
        ${from && stageOf[from as 'started']!}, ${from}, ${to && stageOf[to as 'started']!}, ${to}, ${at}::timestamptz)`;
}

describe('the burn-up', () => {
  const days = async (query = '?from=2026-03-28&to=2026-03-31', by = owner) => (await reportOf(by, query)).burn_up;
  const burnUpTotals = async (query?: string, by?: Member) =>
    (await days(query, by)).map(({ day, scope: all, completed }: Record<string, unknown>) => [day, all, completed]);

  test('uses the days of the workspace, including a day of 23 hours', async () => {
    await history(
      project.id,
      ['2026-03-28T22:45:00Z', null, 'started'],
      ['2026-03-28T23:00:00Z', null, 'started'],
      ['2026-03-29T21:59:59Z', 'started', 'completed'],
      ['2026-03-29T22:00:00Z', 'started', 'completed'],
      ['2026-03-30T12:00:00Z', 'completed', 'cancelled'],
    );
    expect(await burnUpTotals()).toEqual([
      ['2026-03-28', 1, 0],
      ['2026-03-29', 2, 1],
      ['2026-03-30', 1, 1],
      ['2026-03-31', 1, 1],
    ]);
    const far = office.member({ timezone: 'Asia/Kathmandu' });
    expect(await burnUpTotals('?from=2026-03-29&to=2026-03-30', far)).toEqual([
      ['2026-03-29', 2, 0],
      ['2026-03-30', 1, 1],
    ]);
  });

  test('counts a moved task from the day of its move, and keeps past days', async () => {
    await history(project.id, ['2026-03-28T10:00:00Z', null, 'started'], ['2026-03-29T10:00:00Z', 'started', null]);
    const past = await days();
    const other = await makeProject(serving, office);
    const id = await task({ stage_id: stage('Done') });
    await task();
    const reportToday = async () => {
      const now = new Date();
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(now);
      freezeClock(now.toISOString());
      const [first] = await burnUpTotals(`?from=${day}&to=${day}`);
      freezeClock(TODAY);
      return first.slice(1);
    };
    expect(await reportToday()).toEqual([2, 1]);
    await owner.post(`/api/project/task/move/${id}`, { project_id: other.id });
    expect(await reportToday()).toEqual([1, 0]);
    expect(await days()).toEqual(past);
    expect(await burnUpTotals()).toEqual([
      ['2026-03-28', 1, 0],
      ['2026-03-29', 0, 0],
      ['2026-03-30', 0, 0],
      ['2026-03-31', 0, 0],
    ]);
    expect(await violations(office)).toEqual([]);
  });

  test('rejects invalid days', async () => {
    const errorsOf = async (query: string) =>
      (await owner.get(`/api/project/report/${project.id}${query}`)).body.errors;
    expect(await errorsOf('?from=2025-01-01&to=2026-03-01')).toHaveProperty('to');
    expect(await errorsOf('?from=2026-03-01&to=2026-02-01')).toHaveProperty('to');
    expect(await errorsOf('?from=yesterday')).toHaveProperty('from');
    expect(await errorsOf('?chart=pie')).toHaveProperty('chart');
  });
});

describe('an image', () => {
  const getChart = (accept: string, chart: string) =>
    owner.get(`/api/project/report/${project.id}?chart=${chart}`, { headers: { accept } });

  test.each(['burn_up', 'planned_tracked', 'stages', 'members', 'cost'])('is drawn for %s', async (chart) => {
    await task();
    const svg = await getChart('image/svg+xml', chart);
    expect(svg.headers.get('content-type')).toContain('image/svg+xml');
    expect(Buffer.from(svg.content).toString()).toMatch(/^<svg /);
  });

  test('is also available as PNG', async () => {
    const png = await getChart('image/png', 'burn_up');
    expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png']);
  });
});
