/** The methods that the example service offers to other services. */
import { Id } from '@suite/chassis/fields';
import { serveMethods } from '@suite/chassis/rpc';
import { NotebookServiceDefinition } from '@suite/proto/notebook/v1/notebook';
import { z } from 'zod';
import { method } from '../operations.ts';

/** Notes by ID, if the caller may see them. */
const batchGetNotes = method(NotebookServiceDefinition.methods.batchGetNotes, {
  summary: 'Get notes by ID',
  only: ['crm'],
  visible: true,
  input: z.object({ note_ids: z.array(Id).max(1_000, 'Send at most 1000 IDs.') }),
  async handle({ db, input: { note_ids } }) {
    const notes = await db.note.findMany({ where: { id: { in: note_ids } } });
    return { notes: notes.map(({ id, title, status }) => ({ note_id: id, title, status })) };
  },
});

export const notebookRpc = serveMethods(NotebookServiceDefinition, { batchGetNotes });
