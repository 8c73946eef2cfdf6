import { conformance, seclusion, start } from '@suite/testing';
import { platform as contents } from './platform.ts';
import { openWorkspace } from '../test/workspace.ts';

const serving = await start(contents);
const acme = await openWorkspace(serving);
const globex = await openWorkspace(serving);
for (const workspace of [acme, globex]) {
  const owner = await workspace.as('owner');
  await owner.post('/api/v1/settings/api-keys', { name: 'Key' });
  await owner.post('/api/teams/create', { name: 'Coast', member_ids: [workspace.users.sales] });
}
const { user_id } = (await acme.as('owner')).caller;

conformance({
  contents,
  serving,
  insider: { workspace: acme.id, user_id, kind: 'owner', role: 'owner' },
  foreign_workspace: globex.id,
  declared: { 'users.update': { status: 'It asks for an action: to disable or to enable.' } },
});

seclusion({
  contents,
  serving,
  workspace: acme.id,
  open: { users: 'everybody learns who works here' },
  whole: { 'users.log': 'the log is whole for whoever may read it' },
});
