/** Opens workspaces as an operator does, and invites their users as an owner does. */
import { randomUUID } from 'node:crypto';
import { retryPostponed, waitUntil } from '../waiting.ts';
import { waitForLink } from './mailbox.ts';
import { bearer, type SignedIn, signIn, withIdempotencyKey } from './http-caller.ts';
import type { SharedSuite } from './started.ts';

/** Parts of a suite that are needed to invite users. */
export type SuiteAccess = Pick<SharedSuite, 'databases' | 'url' | 'gateway' | 'data'>;

export interface Workspace {
  id: string;
  name: string;
  owner: SignedIn;
  /** Role IDs by role key. A test may add its own roles. */
  roles: Record<string, string>;
  /** Invites a user, who accepts and signs in. */
  hire(role: string, name?: string): Promise<SignedIn>;
}

const PASSWORD = 'correct horse battery staple';
const command = new URL('../../../../services/platform/src/cli/workspace.ts', import.meta.url).href;

type RunCommand = (words: string[], settings: { DATABASE_URL: string; PUBLIC_URL: string }) => Promise<string>;

/** Runs `npm run workspace` in this process. @returns its output */
export async function runWorkspaceCommand(suite: SuiteAccess, ...words: string[]): Promise<string> {
  const { operate } = (await import(command)) as { operate: RunCommand };
  const settings = { DATABASE_URL: String(suite.databases['platform']), PUBLIC_URL: suite.url };
  return await retryPostponed(() => operate(words, settings));
}

/**
 * Follows an invitation, chooses a password and signs in. On a busy machine the first request can exceed the gateway's
 * deadline, so it is retried. An invitation that was accepted without a response is not a failure.
 */
export async function acceptInvitation(
  { gateway }: Pick<SuiteAccess, 'gateway'>,
  email: string,
  token: string,
): Promise<SignedIn> {
  let tries = 0;
  const { status, body } = await retryPostponed(() => {
    tries += 1;
    return bearer(gateway).post('/api/accept-invitation', { token, password: PASSWORD });
  });
  const wasTaken = tries > 1 && body?.code === 'link_spent';
  if (status !== 200 && !wasTaken)
    throw new Error(`Invitation of ${email} returned ${status} ${JSON.stringify(body)}.`);
  return await signIn(gateway, email, PASSWORD);
}

/** Lists that are filled after a workspace was created, one by each service. */
const FIRST_RECORDS = [
  '/api/pipelines',
  '/api/warehouse',
  '/api/bank-accounts',
  '/api/expense-categories',
  '/api/project/task-stages',
  '/api/support-ticket/categories',
  '/api/document-types',
];

/** Opens a workspace whose owner has signed in, and waits for the first records of each service. */
export async function openWorkspace(suite: SuiteAccess, name = 'Acme'): Promise<Workspace> {
  const email = `owner-${randomUUID()}@example.test`;
  const said = await runWorkspaceCommand(suite, 'create', '--name', name, '--owner', email, '--plan', 'enterprise');
  const owner = await acceptInvitation(suite, email, /#accept_invitation=([\w-]+)/.exec(said)?.[1] ?? '');
  const { body } = await retryPostponed(() => owner.get('/api/roles?per_page=100'));
  for (const path of FIRST_RECORDS)
    await waitUntil(`${path} has its first record`, async () => (await owner.get(path)).body.data.length > 0);
  const roles = Object.fromEntries(body.data.map(({ key, id }: { key: string; id: string }) => [key, id]));
  return {
    id: owner.user.workspace.id,
    name,
    owner,
    roles,
    async hire(role, person = 'Robin Example') {
      const address = `${role}-${randomUUID()}@example.test`;
      const [invitation, key] = [{ name: person, email: address, role_id: roles[role] }, withIdempotencyKey()];
      const invited = await retryPostponed(() => owner.post('/api/user/store', invitation, key));
      if (invited.status !== 201) throw new Error(`${role} was not invited: ${JSON.stringify(invited.body)}`);
      return await acceptInvitation(suite, address, await waitForLink(suite, address));
    },
  };
}
