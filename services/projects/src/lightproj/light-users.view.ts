/** The people of projects, to choose from. */
import { type Caller, type ListRequest, type Page, paginate, searchQuery, type Sql, sql } from '@suite/chassis';
import { colleagues } from '@suite/users';
import type { Db } from '../operations.ts';

/** The people that clients see: by their names only, since what is searched has addresses and numbers in it, too. */
function managersFor(q: string | undefined): Sql {
  const managers = sql`${colleagues} AND users.id IN (SELECT user_id FROM project_members)`;
  return q ? sql`${managers} AND suite_document(users.name) @@ ${searchQuery(q)}` : managers;
}

/** One page of the colleagues; for clients those who manage their projects. */
export function listUsers(db: Db, { kind }: Caller, request: ListRequest): Promise<Page> {
  if (kind !== 'client') return paginate(db, request, { table: 'users', where: colleagues });
  const where = managersFor(request.q);
  return paginate(db, { ...request, q: undefined }, { table: 'users', where, compute: { email: sql`NULL` } });
}
