import { randomUUID } from 'node:crypto';
import { conformance, start } from '@suite/harness';
import { notebook } from './notebook.ts';

const serving = await start(notebook);
const [ours, theirs] = [randomUUID(), randomUUID()];
for (const workspace of [ours, theirs])
  await serving.sql`INSERT INTO notes (id, workspace_id, title) VALUES (gen_random_uuid(), ${workspace}, 'a note')`;

conformance({ contents: notebook, serving, insider: { workspace: ours }, foreign_workspace: theirs });
