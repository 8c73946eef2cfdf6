/** Platform, as far as finance asks it: who is a user of the workspace, and what its letters show. */
import { Fault, serveRpc } from '@suite/chassis';
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
  const head = { name: 'Northwind GmbH', address: 'Speicherstraße 12\n20457 Hamburg', tax_number: 'DE 123 456 789' };
  const letters = { asked: 0, down: false, head: { ...head, footer: 'IBAN DE89 3704', logo: Buffer.alloc(0) } };
  const served = serveRpc(PlatformServiceDefinition, {
    introspect: never,
    ensureClientUser: never,
    async getLetterhead() {
      if (letters.down) throw new Fault(503, 'platform_unavailable', 'The platform service does not answer.');
      letters.asked += 1;
      return letters.head;
    },
    batchGetUsers: ({ user_ids }) =>
      Promise.resolve({ users: user_ids.map((id) => users.get(id)).filter((user) => user !== undefined) }),
  });
  return { known, letters, served };
}
