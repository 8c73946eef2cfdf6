import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher } from '@suite/testing';
import { everything, openCrm } from '../../test/fixture.ts';

const { serving } = await openCrm();
const { say } = await eventPublisher(serving);
let workspace: string;
let owner_id: string;
beforeEach(() => {
  workspace = randomUUID();
  owner_id = randomUUID();
});

const workspaceProvisioned = () => ({
  workspace_id: workspace,
  name: 'Initech',
  timezone: 'Europe/Paris',
  currency: 'EUR',
  fiscal_year_start: '01-01',
  owner_id,
});
const provision = () => say(workspace, 'platform.workspace.provisioned', workspaceProvisioned());
const member = () => serving.member({ can: everything, workspace, user_id: owner_id });
const names = async (path: string): Promise<string[]> =>
  (await member().get(path)).body.data.map(({ name }: { name: string }) => name);

describe('a new workspace', () => {
  test('has a default pipeline with stages for leads and deals, sources and labels', async () => {
    await provision();
    expect((await member().get('/api/pipelines')).body.data).toEqual([
      expect.objectContaining({ name: 'Sales', is_default: true, position: 0 }),
    ]);
    expect(await names('/api/lead-stages')).toEqual(['New', 'Contacted', 'Qualified', 'On hold', 'Lost']);
    const deal_stages =
      await serving.sql`SELECT name, type, probability FROM deal_stages WHERE workspace_id = ${workspace} ORDER BY position`;
    expect(deal_stages.map(({ name, type, probability }) => `${name} ${type} ${probability}`)).toEqual([
      'Qualification open 10',
      'Proposal ongoing 40',
      'Negotiation ongoing 70',
      'Won won 100',
      'Lost lost 0',
    ]);
    expect(await names('/api/sources')).toHaveLength(6);
    expect(await names('/api/labels')).toHaveLength(4);
    expect(await member().post('/api/lead/create', { name: 'Ada' })).toMatchObject({ status: 201 });
  });

  test('is set up once after three deliveries and another event', async () => {
    await say(workspace, 'platform.workspace.provisioned', workspaceProvisioned(), { times: 3 });
    await serving.sql`DELETE FROM labels WHERE workspace_id = ${workspace} AND name = 'Hot'`;
    await provision();
    expect(await names('/api/pipelines')).toEqual(['Sales']);
    expect(await names('/api/lead-stages')).toHaveLength(5);
    expect(await names('/api/sources')).toHaveLength(6);
    expect(await names('/api/labels')).not.toContain('Hot');
  });

  test('preserves records that its users created first', async () => {
    await member().post('/api/pipeline/create', { name: 'Ours' });
    await member().post('/api/label/create', { name: 'Own' });
    await provision();
    expect(await names('/api/pipelines')).toEqual(['Ours']);
    expect(await names('/api/labels')).toEqual(['Own']);
    expect(await names('/api/sources')).toHaveLength(6);
  });

  test('has an owner before the details of the owner are known', async () => {
    await provision();
    const owner = () => serving.sql`SELECT name, kind, status FROM users WHERE id = ${owner_id}`;
    expect(await owner()).toEqual([{ name: 'Owner', kind: 'owner', status: 'invited' }]);
    const olga = {
      user_id: owner_id,
      name: 'Olga',
      email: 'o@example.com',
      kind: 'owner',
      status: 'active',
      phone: '',
    };
    await say(workspace, 'platform.user.created', olga);
    await provision();
    expect(await owner()).toEqual([{ name: 'Olga', kind: 'owner', status: 'active' }]);
  });
});
