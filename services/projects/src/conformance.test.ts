import { randomUUID } from 'node:crypto';
import { conformance, visibilityConformance } from '@suite/testing';
import { createOneOfEach, createProject } from '../test/create-one-of-each.ts';
import { openProjects } from '../test/fixture.ts';
import { workedProject } from '../test/worked-project.ts';
import { projects } from './projects.ts';

const { serving, office: openOffice } = await openProjects();

const office = await openOffice();
/** Creates a workspace with a record in every table that a path can reference, and a running timer. */
async function createRecords(opened: Awaited<ReturnType<typeof openOffice>>): Promise<string> {
  const workspace = await createOneOfEach(opened);
  const { id: project_id } = await workedProject(opened);
  await opened.owner.post('/api/add-tracker', { project_id });
  return workspace;
}

const [ownRecords, otherRecords] = [await createRecords(office), await createRecords(await openOffice())];

const ACTION_REQUEST = 'an action request: the specification has no other operation that changes the state';
const beginning = 'a project may begin while work is under way';

conformance({
  contents: projects,
  serving,
  insider: { workspace: ownRecords },
  foreign_workspace: otherRecords,
  named: {
    id: { table: 'work_items', where: "kind = 'task'" },
    bug_id: { table: 'work_items', where: "kind = 'bug'" },
  },
  declared: {
    'projects.create': { status: beginning },
    'projects.update': { status: ACTION_REQUEST },
    'milestones.update': { status: ACTION_REQUEST },
    'lightProjects.search': { status: 'a filter' },
    'lightProjects.details': { id: 'names the project to show' },
    'lightTasks.details': { id: 'names the task to show' },
    'lightProjects.remove': { id: 'names the project to delete' },
    'lightProjects.updateState': { id: 'names the project to move', status: ACTION_REQUEST },
    'lightProjects.save': { id: 'names the project to change, where one operation makes and changes' },
  },
});

visibilityConformance({
  contents: projects,
  serving,
  workspace: ownRecords,
  bodies: {
    'lightProjects.details': { id: randomUUID() },
    'lightProjects.activity': { project_id: randomUUID() },
  },
  more: () => createProject(office),
  whole: { 'lightProjects.users': 'every colleague may be put on a project' },
  open: { stages: "the workspace's own stages are a pattern that every colleague reads" },
});
