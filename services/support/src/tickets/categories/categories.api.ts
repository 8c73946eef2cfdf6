/** Categories of tickets, FAQs and articles. */
import { change } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { upsertUserCopies } from '@suite/user-copies';
import { command, query } from '../../operations.ts';
import { fetchAssignee } from '../../settings/ticket-references/ticket-references.ts';
import { AgentsOnly, assertAgent } from '../ticket-states/ticket-side.rules.ts';
import { Category, CategoryChanges, CategoryFilter, CategoryInput, CategoryRemoval } from './category.schema.ts';
import { removeCategory } from './category.ts';
import { categoryActions } from './category.rules.ts';

const ADDITION = 'Each workspace has its own categories.';

export const list = query('GET /api/support-ticket/categories', {
  summary: 'List support categories',
  description: 'Returns the categories of tickets, FAQs and articles. Requesters see them as well.',
  addition: 'Tickets, FAQs and articles are sorted by categories, and users must be able to choose one.',
  access: can('ticket.view'),
  query: CategoryFilter,
  reply: page(Category),
  handle: ({ db, query }) => paginate(db, query, { table: 'categories' }),
});

export const create = command('POST /api/support-ticket/category/store', {
  summary: 'Create a support category',
  description:
    'Creates a category with a default assignee and priority for new tickets. Names are unique, regardless of case. Requires an agent.',
  addition: ADDITION,
  access: can('ticket.update'),
  body: CategoryInput,
  reply: created(Category),
  faults: [AgentsOnly],
  prepare: ({ body, rpc }) => fetchAssignee(rpc, body.default_assignee, 'default_assignee'),
  async handle({ db, body, caller, prepared: assignee }) {
    assertAgent(caller);
    if (assignee) await upsertUserCopies(db, [assignee]);
    return await db.category.create({ data: body });
  },
});

export const update = command('POST /api/support-ticket/category/update/{id}', {
  summary: 'Update a support category',
  description:
    'Updates name, colour, default assignee or priority. Existing tickets stay unchanged. Requires an agent.',
  addition: ADDITION,
  access: categoryActions.can('update'),
  params: { id: idOf('categories') },
  body: CategoryChanges,
  reply: ok(Category),
  faults: [AgentsOnly],
  prepare: ({ body, rpc }) => fetchAssignee(rpc, body.default_assignee, 'default_assignee'),
  async handle({ db, params, body: { version: _, ...changes }, prepared: assignee, expect, caller }) {
    assertAgent(caller);
    if (assignee) await upsertUserCopies(db, [assignee]);
    return await change(db.category, params.id, changes, expect);
  },
});

export const remove = command('POST /api/support-ticket/category/delete/{id}', {
  summary: 'Delete a support category',
  description:
    'Deletes a category. Returns 409 `in_use` if tickets, articles or other records use the category. Send `move_to` to move them first.',
  addition: ADDITION,
  access: categoryActions.can('delete'),
  params: { id: idOf('categories') },
  body: CategoryRemoval,
  reply: removed,
  faults: [AgentsOnly],
  handle({ db, params, body, caller }) {
    assertAgent(caller);
    return removeCategory(db, params.id, body.move_to);
  },
});
