/** Machines at which people clock in, and their tokens, of which only hashes are kept. */
import { createHash, randomBytes } from 'node:crypto';
import { type Caller, change, clock, enterWorkspace, NotFound, remove, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import type { DeviceChanges, DeviceInput } from './device.schema.ts';

const TOKEN = /^([\w-]{22})\.([\w-]{43})$/;
const HINT_LENGTH = 4;

const hashOf = (word: string): Uint8Array<ArrayBuffer> => new Uint8Array(createHash('sha256').update(word).digest());

const workspaceOf = (text: string): string =>
  Buffer.from(text, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Enters a machine. Its token is told this once: 256 random bits, and the workspace in front of them. */
export async function createDevice(db: Db, { workspace_id, timezone }: Caller, input: DeviceInput) {
  const secret = randomBytes(32).toString('base64url');
  const workspace = Buffer.from(workspace_id.replaceAll('-', ''), 'hex').toString('base64url');
  const kept = { token_hash: hashOf(secret), token_hint: secret.slice(0, HINT_LENGTH) };
  const device = await db.attendanceDevice.create({
    data: { name: input.name, timezone: input.timezone ?? timezone, ...kept },
  });
  return { ...device, token: `${workspace}.${secret}` };
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
  const [, workspace, secret] = TOKEN.exec(token) ?? [];
  if (!workspace || !secret) throw NotFound();
  const workspace_id = workspaceOf(workspace);
  if (!caller) await enterWorkspace(workspace_id, null);
  else if (caller.workspace_id !== workspace_id) throw NotFound();
  const [device] = await db.rows<OpenDevice>(sql`
    UPDATE attendance_devices SET last_push_at = ${clock.now()} WHERE active AND token_hash = ${hashOf(secret)} RETURNING id, timezone`);
  if (!device) throw NotFound();
  return device;
}
