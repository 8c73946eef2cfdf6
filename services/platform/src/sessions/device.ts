/** Devices: programs from which somebody has signed in before. Each holds a token of ours, and proves itself by it. */
import { clock, type RequestFacts } from '@suite/chassis';
import { hashOf, newDeviceToken } from '../identity/token.ts';
import type { Db } from '../operations.ts';

/** A device that was recognised or has just been made known. */
export interface Recognised {
  device_token: string;
  /** Whether the account has never been used from there, as far as can be told. */
  unfamiliar: boolean;
}

/**
 * Remembers where somebody signs in from.
 * Chosen: programs that keep no token are told apart by their name and network address, so that they do not count as
 * unfamiliar at each sign-in; that is enough for a notice, but not to be trusted with more attempts.
 * @param known the device whose token was sent along
 */
export async function recogniseDevice(
  db: Db,
  user_id: string,
  known: { id: string; token: string } | undefined,
  { address, user_agent }: RequestFacts,
): Promise<Recognised> {
  if (known) {
    await db.device.updateMany({ where: { id: known.id }, data: { last_used_at: clock.now() } });
    return { device_token: known.token, unfamiliar: false };
  }
  const before = await db.session.findFirst({ where: { user_id }, select: { id: true } });
  const alike =
    before && (await db.session.findFirst({ where: { user_id, address, user_agent }, select: { id: true } }));
  const device_token = newDeviceToken();
  await db.device.create({ data: { user_id, user_agent, token_hash: hashOf(device_token) } });
  return { device_token, unfamiliar: before !== null && !alike };
}

/** Forgets the devices of a user: whoever had the old password is a stranger from now on. */
export const forgetDevices = (db: Db, user_id: string): Promise<unknown> =>
  db.device.deleteMany({ where: { user_id } });
