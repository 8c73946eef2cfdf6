import { follows, visibility } from '@suite/chassis';

/** The visibility of the notebook's tables: a client sees the notes that are done, and no pages. */
export const whoSeesWhat = [
  visibility('notes', {
    noun: 'note',
    limited: 'notes.created_by = ANY (people)',
    client: "notes.status = 'done'",
  }),
  follows('pages', { note_id: 'notes' }),
];
