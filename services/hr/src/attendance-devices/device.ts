/** Machines at which people clock in, and their tokens, of which only hashes are kept. */
import { type Caller, change, clock, enterByToken, linkTokens, NotFound, remove, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import type { DeviceChanges, DeviceInput } from './device.schema.ts';

/** Enters a machine. Its token is told this once. */
export async function createDevice(db: Db, { workspace_id, timezone }: Caller, input: DeviceInput) {
  const { token, kept } = linkTokens.make(workspace_id);
  const device = await db.attendanceDevice.create({
    data: { name: input.name, timezone: input.timezone ?? timezone, ...kept },
  });
  return { ...device, token };
}

/** Changes a machine; one that is not active pushes nothing. @throws Stale */
export const changeDevice = (db: Db, id: string, { version: _, ...changes }: DeviceChanges, expect?: number) =>
  change(db.attendanceDevice, id, changes, expect);

/** Removes a machine, and with it its token. What it pushed stays. */
export const removeDevice = (db: Db, id: string) => remove(db.attendanceDevice, id);

/** The machine that pushes. */
export interface OpenDevice {
  id: string;
  timezone: string;
}

/**
 * Finds the active machine that a token is of, and confines the transaction to its workspace, unless somebody has signed in
 * there.
 * @throws NotFound for a token that is unknown or revoked: alike
 */
export async function openDevice(db: Db, caller: Caller | null, token: string): Promise<OpenDevice> {
  const token_hash = await enterByToken(caller, token);
  const [device] = await db.rows<OpenDevice>(sql`
    UPDATE attendance_devices SET last_push_at = ${clock.now()} WHERE active AND token_hash = ${token_hash} RETURNING id, timezone`);
  if (!device) throw NotFound();
  return device;
}
