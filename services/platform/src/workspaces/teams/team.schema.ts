import { Id, input, Name, record, refTo, version, LongText } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { teamActions } from './team.rules.ts';

/** Maximum number of team members. Each request of a member carries the IDs of all members. */
export const MEMBERS_MAX = 100;

/** Team member, with the fields for all users who see the team. */
const TeamMember = z.object({ id: Id, name: z.string(), email: z.string() }).meta({ id: 'TeamMember' });

/** Demo team. */
export const Team = record({
  name: z.string(),
  description: z.string(),
  member_ids: z.array(Id),
  members: z.array(TeamMember).optional(),
  allowed_actions: Actions(teamActions),
});

const Members = z
  .array(refTo('users'))
  .max(MEMBERS_MAX)
  .refine((ids) => new Set(ids).size === ids.length, 'Enter each member only once.')
  .describe('IDs of all members: owners and staff users of no other team. Replaces the previous members.');

export const NewTeam = input({
  name: Name,
  description: LongText.max(500).default(''),
  member_ids: Members.default([]),
});

export const TeamChange = input({ name: Name, description: LongText.max(500), member_ids: Members, version }).partial();

export const TeamFilter = list(Team, {
  filter: ['id', 'name', 'created_at', 'updated_at'],
  through: { member_id: { table: 'team_members', key: 'team_id', column: 'user_id' } },
  sort: ['created_at', 'updated_at', 'name'],
  search: true,
  expand: ['members'],
});
