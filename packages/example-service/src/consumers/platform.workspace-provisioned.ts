import { WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import { createNote } from '../notes/note.ts';
import { on } from '../operations.ts';

/** Creates a note in a new workspace, unless it already has one. */
export const welcomeWorkspace = on(WorkspaceProvisioned, 'notebook.welcome-workspace', async ({ event, db, emit }) => {
  if ((await db.note.count()) > 0) return;
  await createNote({ db, emit }, { title: `Welcome to ${event.name}`, pages: [] });
});
