import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { createProject, fileFor } from '../../../test/create-one-of-each.ts';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';

const { office: openOffice } = await openProjects();
let office: ProjectsFixture;
let owner: Member;
beforeEach(async () => {
  office = await openOffice();
  owner = office.owner;
});

const own = { record_scopes: { project: 'own' as const } };
const add = (by: Member, project_id: string, fields: Record<string, string> = {}) =>
  by.upload('/api/project/file/create', fileFor(project_id, fields));
const remove = (by: Member, id: string) => by.delete(`/api/project/file/delete/${id}`);

describe('a file of a project', () => {
  test('is added by members, and deleted by its uploader or a manager', async () => {
    const [grace, robin, viewer] = [office.member(own), office.member(own), office.member(own)];
    const members = [
      { user_id: grace.caller.user_id, role: 'member' },
      { user_id: robin.caller.user_id, role: 'member' },
      { user_id: viewer.caller.user_id, role: 'viewer' },
    ];
    const project_id = await createProject(office, { members });
    const added = await add(grace, project_id);
    expect(added).toMatchObject({
      status: 201,
      body: { data: { name: 'offer.txt', size: 9, mime: 'text/plain', client_visible: false } },
    });
    const { id, url } = added.body.data;
    expect((await grace.get(url)).status).toBe(200);
    expect(await add(viewer, project_id)).toMatchObject({ status: 403, body: { code: 'project_role' } });
    expect(await remove(robin, id)).toMatchObject({ status: 403, body: { code: 'project_role' } });
    expect((await remove(grace, id)).status).toBe(200);
    expect((await grace.get(url)).status).toBe(404);
    expect((await remove(owner, (await add(grace, project_id)).body.data.id)).status).toBe(200);
  });

  test('has a link that expires with the membership of its user', async () => {
    const grace = office.member(own);
    const project_id = await createProject(office, { members: [{ user_id: grace.caller.user_id, role: 'member' }] });
    const { id, url } = (await add(grace, project_id)).body.data;
    const statusOfDownload = async (by: Member) => (await by.get(url)).status;
    expect([await statusOfDownload(owner), await statusOfDownload(grace)]).toEqual([200, 200]);
    const { files, members } = (await owner.get(`/api/project/show/${project_id}`)).body.data;
    const membership = members.find(({ user_id }: { user_id: string }) => user_id === grace.caller.user_id);
    expect(await owner.delete(`/api/project/member/delete/${membership.id}`)).toMatchObject({ status: 200 });
    expect([await statusOfDownload(owner), await statusOfDownload(grace)]).toEqual([404, 404]);
    expect(files).toMatchObject([{ id }]);
    expect((await owner.get(files[0].url)).status).toBe(200);
  });

  test('is shown to clients if it is visible to them, and clients add none', async () => {
    const ada = office.member({ kind: 'client' });
    const project_id = await createProject(office, { client_ids: [ada.caller.user_id] });
    const hidden = (await add(owner, project_id)).body.data;
    const shared = (await add(owner, project_id, { client_visible: 'true' })).body.data;
    const { files } = (await ada.get(`/api/project/show/${project_id}`)).body.data;
    expect(files).toMatchObject([{ id: shared.id }]);
    expect((await remove(ada, hidden.id)).status).toBe(404);
    expect((await remove(ada, shared.id)).status).toBe(403);
    expect(await add(ada, project_id)).toMatchObject({ status: 403, body: { code: 'project_role' } });
  });

  test('must belong to the project in the request', async () => {
    const project_id = await createProject(office);
    expect((await add(owner, project_id, { task_id: project_id })).body.errors).toHaveProperty('task_id');
    expect((await add(office.member(own), project_id)).body.errors).toHaveProperty('project_id');
    expect((await add(owner, project_id, { client_visible: 'yes' })).body.errors).toHaveProperty('client_visible');
  });
});
