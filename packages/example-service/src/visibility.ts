import { follows, ownedBy, visibility } from '@suite/chassis';

/** The visibility of the notebook's tables: a client sees the notes that are done, and no pages. */
export const whoSeesWhat = [
  visibility('notes', {
    noun: 'note',
    limited: ownedBy('created_by'),
    client: "status = 'done'",
  }),
  follows('pages', { note_id: 'notes' }),
];
