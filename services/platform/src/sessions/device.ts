/** Devices: programs from which somebody has signed in before. Each holds a token of ours, and proves itself by it. */
import { randomUUIDv7 } from 'node:crypto';
import { clock, type RequestFacts, sql } from '@suite/chassis';
import Bowser from 'bowser';
import { hashOf, newDeviceToken } from '../identity/token.ts';
import type { Db } from '../operations.ts';

/** A device that was recognised or has just been made known. */
export interface Recognised {
  device_token: string;
  /** Whether the account has never been used from there, as far as is known. */
  unfamiliar: boolean;
}

/** The device of a user that a token names, if the account knows it. */
export const deviceOf = async (db: Db, user_id: string, token: string | undefined): Promise<{ id: string } | null> =>
  token ? await db.device.findFirst({ where: { user_id, token_hash: hashOf(token) }, select: { id: true } }) : null;

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
  const device_token = newDeviceToken();
  const [[found]] = await Promise.all([
    db.rows<{ unfamiliar: boolean }>(sql`
      SELECT EXISTS (SELECT FROM sessions WHERE user_id = ${user_id}::uuid) AND NOT EXISTS (
        SELECT FROM sessions WHERE user_id = ${user_id}::uuid AND address = ${address} AND user_agent = ${user_agent}
      ) AS unfamiliar`),
    db.rows(sql`
      INSERT INTO devices (id, user_id, user_agent, token_hash)
      VALUES (${randomUUIDv7()}::uuid, ${user_id}::uuid, ${user_agent}, ${hashOf(device_token)})`),
  ]);
  return { device_token, unfamiliar: found!.unfamiliar };
}

/** A program's own word for itself: what stands first, if it is one word, and no address. */
const PROGRAM = /^[A-Za-z][\w-]{0,30}(?=\/|$)/;
const BROWSERS = new Set<string>(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set<string>(Object.values(Bowser.OS_MAP));

/**
 * The name of a device for people: "Firefox on Linux", as far as its user agent tells. Only names that are known are
 * taken out of it: it stands in mails, and whoever signs in chooses it.
 */
export function deviceName(user_agent: string, purpose?: string): string {
  if (!user_agent) return 'Unknown program';
  const { browser, os } = Bowser.parse(user_agent);
  const { name = '' } = browser;
  // People name the device of their tracker themselves. Only they read it, so that it is shown as it is.
  const unknown = purpose === 'tracker' ? user_agent : 'Unknown program';
  const program = BROWSERS.has(name) ? name : (PROGRAM.exec(user_agent)?.[0] ?? unknown);
  return os.name && SYSTEMS.has(os.name) ? `${program} on ${os.name}` : program;
}

/** The device and the address of a request, for a notice. */
export const whereFrom = ({ address, user_agent }: RequestFacts) => ({ device: deviceName(user_agent), address });

/** Forgets the devices of a user: after a new password, every device is unknown. */
export const forgetDevices = (db: Db, user_id: string): Promise<unknown> =>
  db.device.deleteMany({ where: { user_id } });
