import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, type Member } from '@suite/testing';
import { createProject } from '../../../test/create-one-of-each.ts';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';

const { serving, office: openOffice, violations } = await openProjects();
const { say } = await eventPublisher(serving);
let office: ProjectsFixture;
let owner: Member;
let template_id: string;

/** Adds two tasks to the template: Build and Draw. Draw blocks Build, is its parent, and is done. */
async function fill(): Promise<void> {
  const createRecord = async (path: string, body: object) => (await owner.post(path, body)).body.data;
  const milestone = await createRecord('/api/project/milestone/create', {
    project_id: template_id,
    title: 'Design',
    end_date: '2026-01-20',
  });
  const stages = (await owner.get(`/api/project/task-stages?project_id=${template_id}`)).body.data;
  const stageOf = (name: string) => stages.find((stage: { name: string }) => stage.name === name).id;
  const usual = { milestone_id: milestone.id, due_date: '2026-01-10', estimate_minutes: 60 };
  const path = `/api/project/${template_id}/task/create`;
  const draw = await createRecord(path, {
    ...usual,
    title: 'Draw',
    stage_id: stageOf('In review'),
    assignee_ids: [owner.caller.user_id],
  });
  const subtasks = [{ name: 'Test it' }];
  const done = { parent_id: draw.id, subtasks, stage_id: stageOf('Done') };
  const build = await createRecord(path, { ...usual, title: 'Build', ...done });
  const shown = (await owner.get(`/api/project/task/show/${build.id}`)).body.data;
  await createRecord(`/api/project/task-subtask/update/${shown.subtasks[0].id}`, { done: true });
  await createRecord(`/api/project/${template_id}/task/update/${build.id}`, { blocked_by: [draw.id] });
}

beforeEach(async () => {
  office = await openOffice();
  owner = office.owner;
  template_id = await createProject(office, { name: 'Usual website', is_template: true, start_date: '2026-01-01' });
  await fill();
});

const tasksOf = (project_id: string) => serving.sql`
  SELECT item.number, item.title, stages.name AS stage, item."group", item.due_date::text, item.estimate_minutes, parent.title AS parent,
    milestones.title AS milestone, milestones.end_date::text AS milestone_end,
    (SELECT count(*)::int FROM blockers WHERE item_id = item.id) AS blockers,
    (SELECT json_agg(done) FROM subtasks WHERE item_id = item.id) AS checklist,
    (SELECT count(*)::int FROM assignees WHERE item_id = item.id) AS assignees,
    (SELECT count(*)::int FROM stage_changes WHERE item_id = item.id) AS changes
  FROM work_items AS item JOIN stages ON stages.id = item.stage_id LEFT JOIN milestones ON milestones.id = item.milestone_id
  LEFT JOIN work_items AS parent ON parent.id = item.parent_id
  WHERE item.project_id = ${project_id} ORDER BY item.number`;

const taskIds = async (): Promise<string[]> =>
  (await owner.get(`/api/lightproj/projects/${template_id}/tasks`)).body.data.map(({ id }: { id: string }) => id);

describe('a template', () => {
  test('is copied with tasks that start again, on days relative to the project start', async () => {
    const { body } = await owner.post('/api/projects/create', { name: 'Shop', template_id, start_date: '2026-02-01' });
    const usual = {
      due_date: '2026-02-10',
      estimate_minutes: 60,
      milestone: 'Design',
      milestone_end: '2026-02-20',
      changes: 1,
    };
    expect(await tasksOf(body.data.id)).toEqual([
      {
        ...usual,
        number: 1,
        title: 'Draw',
        stage: 'In review',
        group: 'started',
        parent: null,
        blockers: 0,
        checklist: null,
        assignees: 1,
      },
      {
        ...usual,
        number: 2,
        title: 'Build',
        stage: 'To do',
        group: 'unstarted',
        parent: 'Draw',
        blockers: 1,
        checklist: [false],
        assignees: 0,
      },
    ]);
    const { counts, progress, milestones } = (await owner.get(`/api/project/show/${body.data.id}`)).body.data;
    expect([counts.open_tasks, progress, milestones[0].open_tasks]).toEqual([2, 0, undefined]);
    expect(body.data).toMatchObject({ open_tasks: 2, is_template: false, template_id });
    expect(await violations(office)).toEqual([]);
    expect(await owner.delete(`/api/project/delete/${template_id}`)).toMatchObject({
      status: 409,
      body: { code: 'in_use' },
    });
  });

  test('notifies assignees of copied tasks, but not the user who copies it', async () => {
    const user_id = office.hire({ name: 'Ida Example' });
    await owner.post('/api/project/member/create', { project_id: template_id, user_id });
    const assignee_ids = [user_id, owner.caller.user_id];
    for (const id of await taskIds())
      await owner.post(`/api/project/${template_id}/task/update/${id}`, { assignee_ids });
    await serving.sql`DELETE FROM mails WHERE workspace_id = ${office.workspace}`;
    const copy = (body: object) =>
      owner.post('/api/projects/create', {
        name: 'Shop',
        template_id,
        members: [{ user_id, role: 'member' }],
        ...body,
      });
    const mails = () => serving.sql`
      SELECT mails.user_id, count(*)::int AS news FROM mails JOIN notifications ON mail_id = mails.id
      WHERE mails.workspace_id = ${office.workspace} GROUP BY mails.id`;
    expect((await copy({ is_template: true })).status).toBe(201);
    expect(await mails()).toEqual([]);
    const { body } = await copy({});
    expect(await mails()).toEqual([{ user_id, news: 2 }]);
    const shown = (await owner.get(`/api/project/task/show/${body.data.code}-1`)).body.data;
    expect(shown.watchers.map(({ id }: { id: string }) => id)).toContain(user_id);
    expect(await violations(office)).toEqual([]);
  });

  test('creates the project of a won deal, once', async () => {
    const won = {
      deal_id: randomUUID(),
      price: '900',
      currency: 'USD',
      name: 'Fleet',
      customer_id: randomUUID(),
      customer_name: 'Ada & Co',
      owner_id: office.hire(),
    };
    await say(office.workspace, 'crm.deal.won', won);
    expect((await owner.get('/api/projects')).body.data).toEqual([]);
    await owner.post('/api/project/settings/update', { deal_template_id: template_id });
    for (const version of [2, 3]) await say(office.workspace, 'crm.deal.won', won, { position: version });
    const { data } = (await owner.get('/api/projects?expand=members')).body;
    expect(data).toMatchObject([
      { name: 'Fleet', deal_id: won.deal_id, customer_id: won.customer_id, customer_name: 'Ada & Co', template_id },
    ]);
    expect(data[0].members).toMatchObject([{ role: 'manager' }]);
    expect(await tasksOf(data[0].id)).toHaveLength(2);
    await say(office.workspace, 'finance.customer.updated', {
      customer_id: won.customer_id,
      name: 'Ada Ltd',
      active: true,
    });
    expect((await owner.get('/api/projects')).body.data).toMatchObject([{ customer_name: 'Ada Ltd' }]);
  });

  test('must be a template, and requires the permission to change the workspace', async () => {
    const id = await createProject(office);
    const chooseTemplate = (deal_template_id: string, by = owner) =>
      by.post('/api/project/settings/update', { deal_template_id });
    expect((await chooseTemplate(id)).body.errors).toHaveProperty('deal_template_id');
    expect((await chooseTemplate(template_id, office.member({ can: ['project.update'] }))).status).toBe(403);
    expect((await chooseTemplate(template_id)).body.data).toMatchObject({
      deal_template_id: template_id,
      block_completion: true,
    });
    expect((await owner.get('/api/project/settings')).body.data).toMatchObject({ deal_template_id: template_id });
  });
});
