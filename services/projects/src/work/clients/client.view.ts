/** View of project clients. Only managers see their e-mail addresses. */
import { type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, type ListRequest, many, type Page, paginate, searchQuery } from '@suite/chassis/lists';
import type { z } from 'zod';
import { hasRole } from '../access/access.ts';
import type { Db } from '../../operations.ts';
import { clientActions } from './client.rules.ts';
import type { ProjectClient } from './client.schema.ts';

type ClientRow = z.input<typeof ProjectClient>;

const rowsWithUsers = (caller: Caller): Sql => sql`(
  SELECT project_clients.id, project_clients.workspace_id, project_id, user_id, customer_id, invited_at, name, status,
    CASE WHEN ${hasRole(caller, sql`project_clients.project_id`, 'manager')} THEN email END AS email,
    invited_at AS updated_at
  FROM project_clients JOIN users ON users.id = project_clients.user_id)`;

/**
 * Returns the clients whose user matches the words. The users are found once and not for each client. OFFSET makes PostgreSQL
 * compare what the caller sees for these clients only, and not for all users.
 */
const clientsMatching = (caller: Caller, q: string): Sql => sql`(
  SELECT clients.* FROM ${rowsWithUsers(caller)} AS clients
  WHERE clients.user_id = ANY (ARRAY(SELECT suite_search('users'::regclass, ${q}))) OFFSET 0)`;

/** Returns a page of the clients in the projects visible to the caller. */
export const listClients = (db: Db, caller: Caller, { q, ...request }: ListRequest): Promise<Page> =>
  paginate(
    db,
    { ...request, q: undefined },
    {
      table: 'project_clients',
      // The search index of users also contains phone numbers, and e-mail addresses that only managers of the project see.
      ...(q === undefined
        ? { from: rowsWithUsers(caller) }
        : {
            from: clientsMatching(caller, q),
            where: sql`suite_document(concat_ws(' ', project_clients.name, project_clients.email)) @@ ${searchQuery(q)}`,
          }),
    },
  );

async function readClientRows(db: Db, caller: Caller, condition: Sql): Promise<ClientRow[]> {
  return await db.rows(sql`
    SELECT id, project_id, user_id, name, email, invited_at, status,
      ${clientActions.shownTo(caller, 'project_clients')} AS allowed_actions
    FROM ${rowsWithUsers(caller)} AS project_clients
    WHERE ${condition} ORDER BY invited_at, id`);
}

/** Returns the expansion with the clients of projects. */
export const clientsOf = (db: Db, caller: Caller): Expansion =>
  many('project_id', (ids) => readClientRows(db, caller, sql`project_id = ANY(${ids}::uuid[])`));

/** Returns the rows of some clients of one project. */
export const readClients = (db: Db, caller: Caller, project_id: string, user_ids: readonly string[]) =>
  readClientRows(db, caller, sql`project_id = ${project_id}::uuid AND user_id = ANY(${user_ids}::uuid[])`);
