/** Factory for a workspace with a record in every table that a path of projects can reference. */
import type { ProjectsFixture } from './fixture.ts';

/** Creates the project "Website relaunch" with one member and one client. Returns its ID. */
export async function createProject({ owner, hire }: ProjectsFixture, more: object = {}): Promise<string> {
  const members = [{ user_id: hire({ name: 'Grace Example' }), role: 'member' }];
  const client_ids = [hire({ kind: 'client', name: 'Ada Example' })];
  const body = { name: 'Website relaunch', members, client_ids, ...more };
  const { body: answer } = await owner.post('/api/projects/create', body);
  if (!answer.data) throw new Error(JSON.stringify(answer));
  return answer.data.id;
}

/** Builds form data with a file for a project. */
export function fileFor(project_id: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ project_id, ...fields })) form.set(name, value);
  form.set('file', new Blob(['An offer.']), 'offer.txt');
  return form;
}

/** Creates a project with a milestone, a file, a task with a subtask, a bug and two comments. Returns the workspace. */
export async function createOneOfEach(office: ProjectsFixture): Promise<string> {
  const { owner, workspace } = office;
  const project_id = await createProject(office);
  await owner.post('/api/project/milestone/create', { project_id, title: 'Design' });
  await owner.upload('/api/project/file/create', fileFor(project_id));
  const task = await owner.post(`/api/project/${project_id}/task/create`, {
    title: 'Draw',
    subtasks: [{ name: 'Find a pencil' }],
  });
  const bug = await owner.post(`/api/project/bug/create/${project_id}`, { title: 'It blinks' });
  await owner.post(`/api/project/task/${task.body.data.id}/comment/create`, { body: 'Nice.' });
  await owner.post(`/api/project/bug/${bug.body.data.id}/comment/create`, { body: 'Not nice.' });
  return workspace;
}
