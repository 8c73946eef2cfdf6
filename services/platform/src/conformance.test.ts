import { conformance, visibilityConformance, start } from '@suite/testing';
import { platform as contents } from './platform.ts';
import { fakeJournals, fakesOf } from '../test/fake-journal.ts';
import { socialServer } from '../test/social-server.ts';
import { openWorkspace } from '../test/workspace.ts';

const serving = await start(contents, { fakes: fakesOf(fakeJournals()) });
const social = await socialServer();
social.tokens.add('token-of-a-program');
const acme = await openWorkspace(serving);
const globex = await openWorkspace(serving);
for (const workspace of [acme, globex]) {
  const owner = await workspace.as('owner');
  await owner.post('/api/v1/settings/api-keys', { name: 'Key' });
  await owner.post('/api/teams/create', { name: 'Coast', member_ids: [workspace.users.sales] });
  await owner.post('/api/socialpost/connect', { server_url: social.url, access_token: 'token-of-a-program' });
  await owner.post('/api/socialpost/post', { text: 'We are open.' });
  await owner.post('/api/partner/create', { name: 'Nadir', tier: 'gold', since: '2024-05-01' });
}
const { user_id } = (await acme.as('owner')).caller;

conformance({
  contents,
  serving,
  insider: { workspace: acme.id, user_id, kind: 'owner', role: 'owner' },
  foreign_workspace: globex.id,
  foreign_bodies: { 'smsMessages.report': 'each provider reports in words of its own' },
  declared: { 'users.update': { status: 'It asks for an action: to disable or to enable.' } },
});

visibilityConformance({
  contents,
  serving,
  workspace: acme.id,
  open: { users: 'all users may see who works here' },
  whole: { 'users.log': 'the log is complete for all users who may read it' },
});
