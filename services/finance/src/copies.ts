/** The published fields of finance's records, and its copies of other services' records. */
import { copyOf, publishedKind } from '@suite/chassis/visibility';

export const publishes = [
  publishedKind('finance.books', {
    table: 'books',
    id: 'workspace_id',
    fields: { base_currency: 'given.base_currency', fiscal_year_start: 'given.fiscal_year_start' },
  }),
  publishedKind('finance.customer', {
    table: 'customers',
    fields: { name: 'given.name', user_id: 'given.user_id' },
  }),
  publishedKind('finance.expense', {
    table: 'expenses',
    fields: {
      project_id: 'given.project_id',
      date: 'given.date',
      net: 'given.net',
      currency: 'given.currency',
      rate: 'given.rate',
      reversed: 'FALSE',
    },
    ended: "given.status <> 'posted' OR given.project_id IS NULL",
    gone: { reversed: true },
  }),
];

export const copies = [
  copyOf('platform.workspace', {
    table: 'books',
    id: 'workspace_id',
    columns: { timezone: 'timezone' },
    positions: ['workspace_version'],
    is_complete: false,
  }),
];
