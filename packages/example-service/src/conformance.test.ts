import { conformance, visibilityConformance, start } from '@suite/testing';
import { notebook } from './notebook.ts';

const serving = await start(notebook);

/** Creates a workspace with a record in every table that a path can refer to. */
async function createOneOfEach(): Promise<string> {
  const { post, caller } = serving.member({ can: ['note.create'] });
  await post('/api/note/create', { title: 'Milk', pages: [{ text: 'Two bottles.' }] });
  return caller.workspace_id;
}

const [ours, theirs] = [await createOneOfEach(), await createOneOfEach()];

conformance({ contents: notebook, serving, insider: { workspace: ours }, foreign_workspace: theirs });

visibilityConformance({ contents: notebook, serving, workspace: ours });
