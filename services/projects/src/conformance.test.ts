import { conformance, seclusion } from '@suite/testing';
import { openProjects } from '../test/fixture.ts';
import { workedProject } from '../test/worked-project.ts';
import { projects } from './projects.ts';

const { serving, office } = await openProjects();

/** A workspace with a record in every table that a path can name. */
async function furnished(): Promise<string> {
  const opened = await office();
  const { id: project_id } = await workedProject(serving, opened, {
    members: { [opened.owner.caller.user_id]: 'manager' },
  });
  await opened.owner.post('/api/add-tracker', { project_id });
  return opened.workspace;
}

const [ours, theirs] = [await furnished(), await furnished()];

conformance({ contents: projects, serving, insider: { workspace: ours }, foreign_workspace: theirs });

seclusion({
  contents: projects,
  serving,
  workspace: ours,
  open: { stages: 'those of the workspace are the pattern of new projects, which everybody inside reads' },
});
