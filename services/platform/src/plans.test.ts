import { plans, start } from '@suite/testing';
import { platform } from './platform.ts';
import { openWorkspace } from '../test/workspace.ts';

const serving = await start(platform);
const { id, as, users } = await openWorkspace(serving);
const owner = await as('owner');
await owner.post('/api/v1/settings/api-keys', { name: 'Key' });
await owner.post('/api/teams/create', { name: 'Coast', member_ids: [users.sales] });

plans({
  contents: platform,
  serving,
  workspace: id,
  people: { staff: [users.owner] },
  few: ['roles', 'teams', 'team_members'],
  shared: [],
  rare: [],
  empty: {
    second_factors: 'no list reads it',
    recovery_codes: 'no list reads it',
    workspaces: 'it is the workspace itself',
  },
  whole: { 'roles.list': 'a role tells how many people have it' },
});
