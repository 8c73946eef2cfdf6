import { recordTypes, service } from '@suite/chassis/service';
import { welcomeWorkspace } from './consumers/platform.workspace-provisioned.ts';
import { PrismaClient } from './generated/client.ts';
import * as notePages from './notes/note-pages.api.ts';
import { noteStates } from './notes/note.rules.ts';
import { Note } from './notes/note.schema.ts';
import * as notes from './notes/notes.api.ts';
import { notebookRpc } from './rpc/notebook.rpc.ts';
import { visibilityRules } from './visibility.ts';

/** An example service: notes with pages, which are open until they are done. Start reading here, then copy it. */
export const notebook = service({
  name: 'notebook',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: visibilityRules,
  operations: { notes, notePages },
  lifecycles: [noteStates],
  consumers: [welcomeWorkspace],
  rpc: [notebookRpc],
  record_readers: ['platform'],
  records: recordTypes('notebook', {
    note: { table: 'notes', schema: Note, permissions: ['note.view'], module: 'crm' },
  }),
});
