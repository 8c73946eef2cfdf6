import { follows, ownedBy, visibility } from '@suite/chassis';

/** Who may see what of the notebook. */
export const whoSeesWhat = [
  visibility('notes', {
    noun: 'note',
    gated: false,
    limited: ownedBy('created_by'),
    client: "status <> 'draft'",
  }),
  follows('pages', { note_id: 'notes' }),
];
