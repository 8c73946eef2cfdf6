/**
 * Teams share records: members with the record scope `team` see the records of all members. A user belongs to at most
 * one team.
 */
import { sql } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { many, paginate, readOne } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, type Db, query } from '../../operations.ts';
import { RoleExceedsCaller } from '../../identity/roles/role.rules.ts';
import { InAnotherTeam } from './membership.ts';
import { changeTeam, createTeam, deleteTeam, TeamNameTaken } from './team.ts';
import { NewTeam, Team, TeamChange, TeamFilter } from './team.schema.ts';
import { teamActions } from './team.rules.ts';

const ADDITION =
  'The record scope `team` requires team members, and the specification has no operations that manage teams.';

const MEMBER_IDS = sql`ARRAY(
  SELECT user_id FROM team_members
  WHERE team_members.workspace_id = teams.workspace_id AND team_members.team_id = teams.id ORDER BY user_id)`;

const view = (db: Db) => ({
  table: 'teams',
  compute: { member_ids: MEMBER_IDS },
  expand: {
    members: many('team_id', (ids) =>
      db.rows(sql`
        SELECT team_id, users.id, users.name, users.email FROM team_members JOIN users ON users.id = user_id
        WHERE team_id = ANY(${ids}::uuid[]) ORDER BY users.name, users.id`),
    ),
  },
});

const readTeam = (db: Db, id: string) => readOne(db, Team, id, view(db));

export const list = query('GET /api/teams', {
  summary: 'List teams',
  description:
    'Returns teams with the IDs of their members. Expand `members` for names. Use it to select the team of a user.',
  addition: ADDITION,
  access: can('team.view'),
  query: TeamFilter,
  reply: page(Team),
  handle: ({ db, query }) => paginate(db, query, view(db)),
});

export const create = command('POST /api/teams/create', {
  summary: 'Create a team',
  description:
    'Creates a team. Members with the record scope `team` see the records of all members. Returns `role_exceeds_caller` unless you see these records yourself, and `in_another_team` for members of another team.',
  addition: ADDITION,
  access: can('team.create'),
  body: NewTeam,
  reply: created(Team),
  faults: [RoleExceedsCaller, InAnotherTeam, TeamNameTaken],
  handle: async ({ db, body, caller, emit }) => await readTeam(db, await createTeam(db, emit, caller, body)),
});

export const update = command('POST /api/teams/update/{id}', {
  summary: 'Update a team',
  description:
    'Updates a team. `member_ids` replaces the whole list of members. The change of visible records takes effect immediately.',
  addition: ADDITION,
  access: teamActions.can('update'),
  params: { id: idOf('teams') },
  body: TeamChange,
  reply: ok(Team),
  faults: [RoleExceedsCaller, InAnotherTeam, TeamNameTaken],
  async handle({ db, params, body, caller, expect, emit }) {
    const { version: _, ...changes } = body;
    await changeTeam(db, emit, caller, params.id, changes, expect);
    return await readTeam(db, params.id);
  },
});

export const remove = command('POST /api/teams/delete/{id}', {
  summary: 'Delete a team',
  description: 'Deletes a team. Returns 409 `in_use` while the team has members. Remove them first.',
  addition: ADDITION,
  access: teamActions.can('delete'),
  params: { id: idOf('teams') },
  reply: removed,
  handle: ({ db, params }) => deleteTeam(db, params.id),
});
