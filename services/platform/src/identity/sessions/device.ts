/** Devices: clients that a user has signed in from before. Each stores a token from the suite as proof. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import type { RequestMetadata } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import Bowser from 'bowser';
import { tokenHash, newDeviceToken } from '../../tokens/token.ts';
import type { Db } from '../../operations.ts';

/** Device that is known or has just been added. */
export interface RecognisedDevice {
  device_token: string;
  /** True if the account has no known use from this device. */
  unfamiliar: boolean;
}

/** Returns the known device of a user for a token, if any. */
export const deviceOf = async (db: Db, user_id: string, token: string | undefined): Promise<{ id: string } | null> =>
  token ? await db.device.findFirst({ where: { user_id, token_hash: tokenHash(token) }, select: { id: true } }) : null;

/**
 * Records the device of a sign-in. Chosen: programs without a token are distinguished by their name and network
 * address. They do not count as unfamiliar at each sign-in. That suffices for a notification, but earns no additional
 * attempts.
 * @param known the device whose token was sent along
 */
export async function recogniseDevice(
  db: Db,
  user_id: string,
  known: { id: string; token: string } | undefined,
  { address, user_agent }: RequestMetadata,
): Promise<RecognisedDevice> {
  if (known) {
    await db.device.updateMany({ where: { id: known.id }, data: { last_used_at: clock.now() } });
    return { device_token: known.token, unfamiliar: false };
  }
  const device_token = newDeviceToken();
  const [found] = await db.rows<{ unfamiliar: boolean }>(sql`
    SELECT EXISTS (SELECT FROM sessions WHERE user_id = ${user_id}::uuid) AND NOT EXISTS (
      SELECT FROM sessions WHERE user_id = ${user_id}::uuid AND address = ${address} AND user_agent = ${user_agent}
    ) AS unfamiliar`);
  await db.rows(sql`
    INSERT INTO devices (id, user_id, user_agent, token_hash)
    VALUES (${randomUUIDv7()}::uuid, ${user_id}::uuid, ${user_agent}, ${tokenHash(device_token)})`);
  return { device_token, unfamiliar: found!.unfamiliar };
}

/** Matches a program's own name: the first part, if it is one word and not an address. */
const PROGRAM = /^[A-Za-z][\w-]{0,30}(?=\/|$)/;
const BROWSERS = new Set<string>(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set<string>(Object.values(Bowser.OS_MAP));

/**
 * Returns a readable device name such as "Firefox on Linux", from the user agent. Uses known names only, because the
 * name appears in e-mails and the client chooses the user agent.
 */
export function deviceName(user_agent: string, purpose?: string): string {
  if (!user_agent) return 'Unknown program';
  const { browser, os } = Bowser.parse(user_agent);
  const { name = '' } = browser;
  // Users name the device of their tracker themselves. Only they see the name, so it is shown unchanged.
  const unknown = purpose === 'tracker' ? user_agent : 'Unknown program';
  const program = BROWSERS.has(name) ? name : (PROGRAM.exec(user_agent)?.[0] ?? unknown);
  return os.name && SYSTEMS.has(os.name) ? `${program} on ${os.name}` : program;
}

/** Returns the device and address of a request, for a notification. */
export const originOf = ({ address, user_agent }: RequestMetadata) => ({ device: deviceName(user_agent), address });

/** Deletes the devices of a user. After a password change, every device is unknown. */
export const deleteDevices = (db: Db, user_id: string): Promise<unknown> =>
  db.device.deleteMany({ where: { user_id } });
