import { WorkspaceProvisioned } from '@suite/proto/platform/v1/events';
import { createNote } from '../notes/note.ts';
import { on } from '../operations.ts';

/** A new workspace begins with a note, unless somebody has written one already. */
export const welcomeWorkspace = on(WorkspaceProvisioned, 'notebook.welcome-workspace', async ({ event, db, emit }) => {
  if ((await db.note.count()) > 0) return;
  await createNote({ db, emit }, { title: `Welcome to ${event.name}`, pages: [] });
});
