/** Columns of support that store IDs of other services' records. */
import { referencesTo } from '@suite/chassis/visibility';
import {
  fetchAssignee,
  assertCustomersActive,
  fetchReferences,
} from './settings/ticket-references/ticket-references.ts';

export const references = [
  referencesTo('finance.customer', {
    checked_by: [fetchReferences, assertCustomersActive],
    columns: {
      // `shared_customer_id` is computed from this column.
      tickets: 'customer_id',
      sla_policies: 'conditions.customer_id[]',
    },
    // A deleted ticket does not show its customer and cannot be opened.
    counted: { tickets: 'given.deleted_at IS NULL' },
  }),
  referencesTo('platform.user', {
    checked_by: [fetchAssignee],
    columns: {
      users: 'id',
      categories: 'default_assignee',
      ticket_counts: 'user_id',
      article_views: 'user_id',
      article_votes: 'user_id',
    },
    released: "Deleting a user erases the copy's personal data. The copy remains as the author of old records.",
  }),
];
