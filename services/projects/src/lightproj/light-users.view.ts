/** The people of projects, to choose from. */
import { type Caller, type ListRequest, type Page, paginate, sql } from '@suite/chassis';
import { colleagues } from '@suite/users';
import type { Db } from '../operations.ts';

/** One page of the colleagues; for clients those who manage their projects. */
export function listUsers(db: Db, { kind }: Caller, request: ListRequest): Promise<Page> {
  const isClient = kind === 'client';
  const shown = isClient ? sql`${colleagues} AND users.id IN (SELECT user_id FROM project_members)` : colleagues;
  return paginate(db, request, {
    table: 'users',
    where: shown,
    ...(isClient && { compute: { email: sql`NULL` } }),
  });
}
