import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { eventPublisher, start } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import {
  invitation,
  mailsFor,
  openWorkspace,
  PASSWORD,
  rpcOf,
  executeRequests,
  signIn,
  type TestWorkspace,
} from '../../../test/workspace.ts';

const platform = await start({ ...contents, schedules: [] });
const { say } = await eventPublisher(platform);
const OTHER = 'an entirely different password';

const login = (email: string, password: string, workspace?: string) =>
  platform.anonymous.post('/api/login', { email, password, ...(workspace && { workspace }) });
const slugOf = ({ id }: TestWorkspace) => `acme-${id.slice(-12)}`;

/** Creates an account for an address in another workspace, with a chosen password that its owner accepted. */
async function squat({ as, id }: TestWorkspace, email: string): Promise<void> {
  const { caller } = await as('sales');
  const client = { idempotency_key: `squat ${id}`, name: 'Clara', email, phone: '' };
  const { user } = await rpcOf(platform, caller).ensureClientUser({ ...client, password: OTHER });
  const { user_id } = user!;
  const converted = { lead_id: randomUUID(), deal_id: randomUUID(), client_ids: [user_id] };
  await say(id, 'crm.lead.converted', { ...converted, new_client: { ...client, user_id } });
  await platform.sql`UPDATE users SET status = 'active', email_verified_at = now() WHERE id = ${user_id}`;
}

describe('an address that has an account in another workspace', () => {
  test('is invited and changed like an unknown address', async () => {
    const [acme, globex] = [await openWorkspace(platform), await openWorkspace(platform)];
    const owner = await acme.as('owner');
    const answer = async (email: string) => {
      const { status, body } = await owner.post('/api/user/store', invitation(acme, { email }));
      const { id: _, email: __, created_at: ___, updated_at: ____, ...same } = body.data;
      return { status, same, letters: await mailsFor(platform, body.data.id), id: body.data.id };
    };
    const unknown = await answer(`unknown.${acme.id}@example.test`);
    const known = await answer(globex.email('hr'));
    expect({ ...known, id: '' }).toEqual({ ...unknown, id: '' });
    expect(known.status).toBe(201);
    const changed = await owner.post(`/api/user/update/${known.id}`, { email: globex.email('sales') });
    expect(changed).toMatchObject({ status: 200, body: { data: { email: globex.email('sales') } } });
  });

  test('signs in to each account with its own password', async () => {
    const [acme, globex] = [await openWorkspace(platform), await openWorkspace(platform)];
    const email = acme.email('staff');
    await squat(globex, email);
    expect((await login(email, OTHER, slugOf(globex))).body.data.user).toMatchObject({ workspace: { id: globex.id } });
    expect((await login(email, PASSWORD, slugOf(acme))).body.data.user).toMatchObject({ workspace: { id: acme.id } });
    expect((await login(email, PASSWORD, slugOf(globex))).status).toBe(401);
    expect((await login(email, PASSWORD, 'no-such-workspace')).body.code).toBe('wrong_credentials');
  });

  test('identifies the account verified first, regardless of later accounts', async () => {
    const [acme, globex] = [await openWorkspace(platform), await openWorkspace(platform)];
    const email = acme.email('staff');
    await squat(globex, email);
    await platform.sql`UPDATE users SET created_at = created_at - interval '1 year' WHERE email = ${email} AND workspace_id = ${globex.id}`;
    expect((await login(email, OTHER)).status).toBe(401);
    expect((await signIn(platform, email)).caller.workspace_id).toBe(acme.id);
  });

  test('selects the active account if another is disabled', async () => {
    const [acme, globex] = [await openWorkspace(platform), await openWorkspace(platform)];
    const email = acme.email('staff');
    await squat(globex, email);
    await platform.sql`UPDATE users SET status = 'disabled' WHERE id = ${acme.users.staff}`;
    expect((await signIn(platform, email, OTHER)).caller.workspace_id).toBe(globex.id);
  });

  test('receives a link for each account after a password request', async () => {
    const [acme, globex] = [await openWorkspace(platform), await openWorkspace(platform)];
    const email = acme.email('staff');
    await squat(globex, email);
    await platform.anonymous.post('/api/forgot-password', { email });
    await executeRequests(platform);
    const mails = await platform.sql`
      SELECT workspace_id, letter FROM outgoing_mail WHERE email = ${email} AND letter = 'reset_password'`;
    expect(new Set(mails.map(({ workspace_id }) => workspace_id))).toEqual(new Set([acme.id, globex.id]));
    expect(mails).toHaveLength(2);
  });
});
