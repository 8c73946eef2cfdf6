/** Attendance devices and their tokens. Only token hashes are stored. */
import { change, remove, sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { type Caller, linkTokens } from '@suite/chassis/identity';
import { enterByToken } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';
import type { DeviceChanges, DeviceInput } from './device.schema.ts';

/** Registers an attendance device. Only this response contains its token. */
export async function createDevice(db: Db, { workspace_id, timezone }: Caller, input: DeviceInput) {
  const { token, stored } = linkTokens.make(workspace_id);
  const device = await db.attendanceDevice.create({
    data: { name: input.name, timezone: input.timezone ?? timezone, ...stored },
  });
  return { ...device, token };
}

/** Updates an attendance device. An inactive device cannot push. @throws Stale */
export const changeDevice = (db: Db, id: string, { version: _, ...changes }: DeviceChanges, expect?: number) =>
  change(db.attendanceDevice, id, changes, expect);

/** Deletes an attendance device and its token. Its recorded punches remain. */
export const removeDevice = (db: Db, id: string) => remove(db.attendanceDevice, id);

/** Attendance device that pushes a log. */
export interface OpenDevice {
  id: string;
  timezone: string;
}

/**
 * Finds the active device of a token. Restricts the transaction to the device's workspace, unless a caller is signed in
 * there.
 * @throws NotFound if the token is unknown or revoked, without distinction
 */
export async function openDevice(db: Db, caller: Caller | null, token: string): Promise<OpenDevice> {
  const token_hash = await enterByToken(caller, token);
  const [device] = await db.rows<OpenDevice>(sql`
    UPDATE attendance_devices SET last_push_at = ${clock.now()} WHERE active AND token_hash = ${token_hash} RETURNING id, timezone`);
  if (!device) throw NotFound();
  return device;
}
