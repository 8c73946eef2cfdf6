/** Users of projects, for selection. */
import { type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, type Page, paginate, searchQuery } from '@suite/chassis/lists';
import { selectableUsers } from '@suite/user-copies';
import type { Db } from '../../operations.ts';

/**
 * Returns SQL for the users that clients see. Clients can search by name only, since the search index also contains
 * addresses and numbers.
 */
function managersFor(q: string | undefined): Sql {
  const managers = sql`${selectableUsers} AND users.id IN (SELECT user_id FROM project_members)`;
  return q ? sql`${managers} AND suite_document(users.name) @@ ${searchQuery(q)}` : managers;
}

/** Returns a page of the staff. Clients get the managers of their projects. */
export function listUsers(db: Db, { kind }: Caller, request: ListRequest): Promise<Page> {
  if (kind !== 'client') return paginate(db, request, { table: 'users', where: selectableUsers });
  const where = managersFor(request.q);
  return paginate(db, { ...request, q: undefined }, { table: 'users', where, compute: { email: sql`NULL` } });
}
