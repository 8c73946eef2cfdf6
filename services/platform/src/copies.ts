/** The published fields of platform's records, and its copies of other services' records. */
import { copyOf, publishedKind } from '@suite/chassis/visibility';

export const publishes = [
  publishedKind('platform.user', {
    table: 'users',
    fields: {
      name: 'given.name',
      email: 'given.email',
      phone: 'given.phone',
      kind: 'given.kind',
      status: 'given.status',
    },
    ended: "given.status = 'deleted'",
    gone: { name: 'Former user', email: null, phone: null, status: 'former' },
    unannounced: "given.status = 'pending'",
  }),
  publishedKind('platform.workspace', {
    table: 'workspaces',
    fields: { timezone: 'given.timezone', currency: 'given.currency' },
  }),
];

export const copies = [
  copyOf('finance.books', {
    table: 'workspaces',
    id: 'id',
    columns: { base_currency: 'currency', fiscal_year_start: 'fiscal_year_start' },
    positions: ['books_revision'],
    is_complete: true,
  }),
];
