/** Platform, as far as finance asks it: who is a user of the workspace. */
import { serveRpc } from '@suite/chassis';
import { PlatformServiceDefinition, type User } from '@suite/proto/platform/v1/platform';

const never = () => Promise.reject(new Error('This test does not expect to ask platform for that.'));

/** What a test may say of users, and what answers for them. */
export function standInPlatform() {
  const users = new Map<string, User>();
  const known = (user_id: string, more: Partial<User> = {}): string => {
    const usual = { name: 'Sam Seller', email: `${user_id}@example.test`, kind: 'staff', status: 'active', phone: '' };
    users.set(user_id, { user_id, ...usual, ...more });
    return user_id;
  };
  const served = serveRpc(PlatformServiceDefinition, {
    introspect: never,
    ensureClientUser: never,
    getLetterhead: never,
    batchGetUsers: ({ user_ids }) =>
      Promise.resolve({ users: user_ids.map((id) => users.get(id)).filter((user) => user !== undefined) }),
  });
  return { known, served };
}
