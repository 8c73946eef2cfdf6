/** For tests: active users, without the detour over an invitation by e-mail. */
import type { ServiceUnderTest } from '@suite/testing';
import { type SignedIn, signIn, type TestWorkspace } from './workspace.ts';

/** Activates a user with the shared test password, and opens a session. */
export async function signInAs(
  platform: ServiceUnderTest,
  workspace: TestWorkspace,
  { id, email }: { id: string; email: string },
): Promise<SignedIn> {
  await platform.sql`UPDATE users SET status = 'active', email_verified_at = now() WHERE id = ${id}`;
  await platform.sql`
    INSERT INTO passwords (id, workspace_id, hash)
    SELECT ${id}, workspace_id, hash FROM passwords WHERE id = ${workspace.users.owner}`;
  return await signIn(platform, email);
}
