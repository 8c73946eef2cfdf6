/** Account types classify ledger accounts for the reports. They are the same in every workspace. */
import { paginate } from '@suite/chassis/lists';
import { can, page } from '@suite/chassis/operations';
import { accounting } from '../../operations.ts';
import { AccountType, AccountTypeFilter } from './account.schema.ts';

const { query } = accounting;

export const list = query('GET /api/account-types', {
  summary: 'List account types',
  description: 'Returns the built-in account types with class and normal side. Each ledger account has one type.',
  access: can('ledger.view'),
  query: AccountTypeFilter,
  reply: page(AccountType),
  handle: ({ db, query }) => paginate(db, query, { table: 'account_types' }),
});
