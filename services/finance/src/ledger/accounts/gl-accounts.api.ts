/** Ledger accounts that accept journal entries. */
import { sql } from '@suite/chassis/database';
import { one, paginate } from '@suite/chassis/lists';
import { can, page } from '@suite/chassis/operations';
import { accounting } from '../../operations.ts';
import { GlAccount, GlAccountFilter } from './account.schema.ts';
import { accountBalance } from './chart.view.ts';

const { query } = accounting;

export const list = query('GET /api/gl-accounts', {
  summary: 'List ledger accounts',
  description:
    'Returns the ledger accounts that accept entries, with their balances. Group accounts are not included. Use it to select an account for a product or a category.',
  access: can('ledger.view'),
  query: GlAccountFilter,
  reply: page(GlAccount),
  handle: ({ db, query }) =>
    paginate(db, query, {
      table: 'gl_accounts',
      where: sql`NOT gl_accounts.is_group`,
      compute: { balance: accountBalance },
      expand: {
        type: one('type_id', (ids) =>
          db.rows(sql`SELECT id, code, name, class, normal FROM account_types WHERE id = ANY(${ids}::uuid[])`),
        ),
      },
    }),
});
