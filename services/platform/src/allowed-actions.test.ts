import { actionConformance, makeCaller, memberOf, type CallerOptions, start } from '@suite/testing';
import { platform as contents } from './platform.ts';
import { socialServer } from '../test/social-server.ts';
import { invitation, openWorkspace } from '../test/workspace.ts';

const serving = await start(contents);
const social = await socialServer();
social.tokens.add('token-of-a-program');
const acme = await openWorkspace(serving);
const owner = await acme.as('owner');
await owner.post('/api/v1/settings/api-keys', { name: 'Key' });
await owner.post('/api/teams/create', { name: 'Coast', member_ids: [acme.users.sales] });
await owner.post('/api/roles/create', { name: 'Reader', permissions: ['user.view'] });
await owner.post('/api/user/store', invitation(acme));
await owner.post('/api/socialpost/connect', { server_url: social.url, access_token: 'token-of-a-program' });
await owner.post('/api/socialpost/post', { text: 'We are open.' });
await owner.post('/api/partner/create', { name: 'Nadir', tier: 'gold', since: '2024-05-01' });

actionConformance({
  contents,
  serving,
  workspace: acme.id,
  owner,
  member: (rights: CallerOptions) => {
    const { modules, record_scopes } = owner.caller;
    const own = { modules, record_scopes, workspace: acme.id, user_id: acme.users.staff };
    return memberOf(serving, makeCaller({ ...own, ...rights }));
  },
});
