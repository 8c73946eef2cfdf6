import { follows, visibility } from '@suite/chassis';

/** Who may see what of the notebook. */
export const whoSeesWhat = [
  visibility('notes', {
    noun: 'note',
    gated: false,
    limited: 'created_by = ANY (people)',
    client: "status <> 'draft'",
  }),
  follows('pages', { note_id: 'notes' }),
];
