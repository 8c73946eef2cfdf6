import { follows, ownedBy, visibility } from '@suite/chassis/visibility';

/** Visibility rules of the example service: clients see notes that are done, and no pages. */
export const visibilityRules = [
  visibility('notes', {
    noun: 'note',
    limited: ownedBy('created_by'),
    client: "status = 'done'",
  }),
  follows('pages', { note_id: 'notes' }),
];
