import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, runConcurrently } from '@suite/testing';
import { createProject, fileFor } from '../../../test/create-one-of-each.ts';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';

const { office: openOffice } = await openProjects();
let office: ProjectsFixture;
let light: Member;
beforeEach(async () => {
  office = await openOffice();
  light = office.member({ modules: ['lightproj'] });
});

const post = (path: string, body: object, by = light) => by.post(`/api/lightproj/${path}`, body);

describe('the light module', () => {
  test('creates a project once per external ID, and updates it afterwards', async () => {
    const replies = await runConcurrently(20, () =>
      post('project-create-update', { external_id: 'jira-7', name: 'Website' }),
    );
    expect(sortedStatuses(replies)).toEqual([...Array(19).fill(200), 201]);
    const { id } = replies[0]!.body.data;
    expect((await post('project-create-update', { id, name: 'Web', health: 'at_risk' })).body.data).toMatchObject({
      name: 'Web',
      health: 'at_risk',
    });
    expect((await post('project-create-update', { id, status: 'finished' })).status).toBe(422);
    expect((await post('project-create-update', { external_id: 'new' })).body.errors).toHaveProperty('name');
    expect((await post('project-status-update', { id, status: 'in_progress' })).body.data.status).toBe('in_progress');
    expect((await light.get('/api/projects')).status).toBe(403);
  });

  test('applies the filters in the body, and rejects unknown ones', async () => {
    const first = await createProject(office, { start_date: '2026-01-01', tags: ['web'] });
    await createProject(office, { name: 'Other', start_date: '2026-03-01', status: 'in_progress' });
    const findProjects = async (body: object) =>
      (await post('project-list', body)).body.data.map(({ id }: { id: string }) => id);
    expect(await findProjects({ start_date_to: '2026-02-01' })).toEqual([first]);
    expect(await findProjects({ status: ['not_started', 'on_hold'] })).toEqual([first]);
    expect(await findProjects({ tags: 'web', q: 'website', page: 1, per_page: 5, sort: '-name' })).toEqual([first]);
    expect(await findProjects({ active: false })).toEqual([]);
    expect((await post('project-list', { nonsense: 1 })).status).toBe(422);
    expect((await post('project-list', { sort: 'nonsense' })).status).toBe(422);
    expect((await light.get('/api/lightproj/projects?tags=web')).body.data).toMatchObject([{ id: first }]);
  });

  test('shows a project, its history and its files', async () => {
    const id = await createProject(office);
    expect((await post('project-details', { id })).body.data).toMatchObject({
      id,
      counts: { tasks: 0 },
      stages: expect.any(Array),
    });
    const file = (await light.upload('/api/lightproj/project-file-upload', fileFor(id))).body.data;
    expect((await post('project-activity', { project_id: id, object: 'file' })).body).toMatchObject({
      data: [{ verb: 'added', object: { id: file.id, label: 'offer.txt' } }],
      meta: { total: 1 },
    });
    expect((await light.delete(`/api/lightproj/project-file-delete/${file.id}`)).status).toBe(200);
    const outsider = office.member({ modules: ['lightproj'], record_scopes: { project: 'own' } });
    for (const path of ['project-details', 'project-delete'])
      expect((await post(path, { id }, outsider)).status).toBe(404);
    expect((await post('project-activity', { project_id: id }, outsider)).status).toBe(404);
    expect((await post('project-delete', { id })).body.data).toMatchObject({ id });
  });

  test('returns a dashboard of the records visible to the caller', async () => {
    const ada = office.member({ kind: 'client', modules: ['lightproj'] });
    await createProject(office, { client_ids: [ada.caller.user_id] });
    await createProject(office, { name: 'Other', status: 'in_progress' });
    expect((await light.get('/api/lightproj/home')).body.data).toMatchObject({
      projects: { total: 2, not_started: 1, in_progress: 1 },
      tasks: { open: 0, mine_open: 0 },
      recent_projects: [{ name: 'Other' }, { name: 'Website relaunch' }],
      activity: [{ verb: 'created' }, { verb: 'created' }],
    });
    expect((await ada.get('/api/lightproj/home')).body.data).toMatchObject({
      projects: { total: 1 },
      activity: [{ verb: 'created' }],
    });
  });

  test('lists staff, members of a project, and for clients their project managers', async () => {
    const ada = office.member({ kind: 'client', modules: ['lightproj'] });
    const project_id = await createProject(office, { client_ids: [ada.caller.user_id] });
    const namesOf = async (by: Member, filter = '') =>
      (await by.get(`/api/lightproj/users?sort=name${filter}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await namesOf(light)).toEqual(['Grace Example', 'Kim Example']);
    expect(await namesOf(light, `&project_id=${project_id}`)).toEqual(['Grace Example', 'Kim Example']);
    expect(await namesOf(ada)).toEqual(['Kim Example']);
  });
});
