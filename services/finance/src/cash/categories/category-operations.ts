/** Category operations, identical for revenues and expenses. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { accounting } from '../../operations.ts';
import type { CashKind } from '../revenues-expenses/cash-kind.ts';
import { accountSummary, changeCategory, createCategory, removeCategory } from './category.ts';
import {
  CategoryChanges,
  CategoryFilters,
  CategoryInput,
  ExpenseCategory,
  RevenueCategory,
} from './category.schema.ts';
import { categoryActions } from './category.rules.ts';

const ADDITION = 'The specification only reads categories: without these, a workspace could not have its own.';

const { query, command } = accounting;
const ONE = { revenue: 'a revenue', expense: 'an expense' };
const REPLIES = { revenue: RevenueCategory, expense: ExpenseCategory };

/** Creates the category operations of one kind of document. */
export function categoryOperations(
  kind: CashKind,
  routes: {
    list: `GET /api/${CashKind}-categories`;
    create: `POST /api/${CashKind}-categories/create`;
    update: `POST /api/${CashKind}-categories/update/{id}`;
    remove: `DELETE /api/${CashKind}-categories/delete/{id}`;
  },
) {
  const actions = categoryActions[kind];
  const table = `${kind}_categories` as const;
  const params = { id: idOf(table) };
  const reply = REPLIES[kind];
  return {
    list: query(routes.list, {
      summary: `List ${kind} categories`,
      description: `Returns the categories of ${kind}s with their ledger accounts. Expand \`gl_account\` for its code and name.`,
      access: can(`${kind}.view`),
      query: CategoryFilters[kind],
      reply: page(reply),
      handle: ({ db, query: request }) => paginate(db, request, { table, expand: accountSummary(db) }),
    }),
    create: command(routes.create, {
      summary: `Create ${ONE[kind]} category`,
      description: `Creates a category that posts to the ledger account \`gl_account_id\`. Requires an active account that fits ${kind}s.`,
      addition: ADDITION,
      access: can(`${kind}.approve`),
      body: CategoryInput,
      reply: created(reply),
      handle: ({ db, body, caller }) => createCategory(db, kind, body, caller),
    }),
    update: command(routes.update, {
      summary: `Update ${ONE[kind]} category`,
      description:
        'Updates the category. A new ledger account applies to future postings. Posted documents stay on their account.',
      addition: ADDITION,
      access: actions.can('update'),
      params,
      body: CategoryChanges,
      reply: ok(reply),
      handle: ({ db, params: { id }, body, expect }) => changeCategory(db, kind, id, body, expect),
    }),
    remove: command(routes.remove, {
      summary: `Delete ${ONE[kind]} category`,
      description: `Deletes a category. Returns 409 \`in_use\` if ${kind}s have this category. Deactivate it instead.`,
      addition: ADDITION,
      access: actions.can('delete'),
      params,
      reply: removed,
      handle: ({ db, params: { id } }) => removeCategory(db, kind, id),
    }),
  };
}
