import { planConformance, start } from '@suite/testing';
import { platform } from './platform.ts';
import { socialServer } from '../test/social-server.ts';
import { fakeServer } from '../test/fake-server.ts';
import { openWorkspace } from '../test/workspace.ts';

const serving = await start(platform);
const { id, as, users } = await openWorkspace(serving);
const owner = await as('owner');
await owner.post('/api/v1/settings/api-keys', { name: 'Key' });
await owner.post('/api/teams/create', { name: 'Coast', member_ids: [users.sales] });
await owner.post('/api/partner/create', { name: 'Nadir', tier: 'gold', since: '2024-05-01' });

const provider = await fakeServer(() => ({}));
const body_template = '{"to":"{{to}}","text":"{{text}}"}';
await owner.post('/api/smsgateway/connect', { url: provider.url, sender: 'Acme', body_template });
await owner.post('/api/smsgateway/send', { to: '+491701234567', text: 'Your order is ready.' });
const social = await socialServer();
social.tokens.add('token-of-a-program');
await owner.post('/api/socialpost/connect', { server_url: social.url, access_token: 'token-of-a-program' });
await owner.post('/api/socialpost/post', { text: 'We are open.' });

planConformance({
  contents: platform,
  serving,
  workspace: id,
  people: { staff: [users.owner] },
  few: ['roles', 'teams', 'team_members'],
  shared: [],
  rare: [],
  empty: {
    second_factors: 'no list reads it',
    sms_factors: 'no list reads it',
    recovery_codes: 'no list reads it',
    workspaces: 'it is the workspace itself',
    entitlements: 'a workspace has one row',
    storage_uses: 'one row for each service',
    subscriptions: 'no list reads it',
    todo_syncs: 'no list reads it',
    todo_items: 'no list reads it',
  },
  whole: { 'roles.list': 'a role shows its number of users' },
});
