/** Views of project members. Only managers see rates. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, many, one } from '@suite/chassis/lists';
import { userPortraits } from '@suite/user-copies';
import type { z } from 'zod';
import { hasRole } from '../../work/access/access.ts';
import type { Db } from '../../operations.ts';
import { memberActions } from './member.rules.ts';
import type { ProjectMember } from './member.schema.ts';

type MemberRow = z.input<typeof ProjectMember>;

async function readMemberRows(
  db: Db,
  caller: Caller,
  column: 'id' | 'project_id',
  ids: readonly string[],
): Promise<MemberRow[]> {
  const condition = column === 'id' ? sql`id` : sql`project_id`;
  const isManager = hasRole(caller, sql`project_members.project_id`, 'manager');
  const rows = await db.rows<Record<string, unknown>>(sql`
    SELECT id, project_id, user_id, role, CASE WHEN ${isManager} THEN hourly_rate END AS hourly_rate,
      CASE WHEN ${isManager} THEN cost_rate END AS cost_rate,
      ${memberActions.shownTo(caller, 'project_members')} AS allowed_actions
    FROM project_members WHERE ${condition} = ANY(${ids}::uuid[]) ORDER BY created_at, id`);
  await one('user_id', userPortraits(db))(rows, 'user');
  return rows as MemberRow[];
}

/** Returns the expansion with the members of projects. */
export const membersOf = (db: Db, caller: Caller): Expansion =>
  many('project_id', (ids) => readMemberRows(db, caller, 'project_id', ids));

/** One member. */
export const readMember = async (db: Db, caller: Caller, id: string): Promise<MemberRow> =>
  (await readMemberRows(db, caller, 'id', [id]))[0] as MemberRow;
