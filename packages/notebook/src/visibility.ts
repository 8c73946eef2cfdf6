import { follows, visibility } from '@suite/chassis';

/** Who may see what of the notebook: a client sees the notes that are done, and no pages. */
export const whoSeesWhat = [
  visibility('notes', {
    noun: 'note',
    limited: 'notes.created_by = ANY (people)',
    client: "notes.status = 'done'",
  }),
  follows('pages', { note_id: 'notes' }),
];
