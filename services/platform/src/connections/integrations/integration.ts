/** Rows of integrations: found, connected and disconnected, with the results of their calls. */
import { sql } from '@suite/chassis/database';
import type { Caller, Keys } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { pauseAfter } from '@suite/outbound-http';
import { openEncryption, type CipherLocation, openDecryption } from '@suite/field-encryption';
import type { Db } from '../../operations.ts';
import {
  ConnectionChanged,
  integrationStates,
  isContentStatus,
  isCredentialStatus,
  NotConnected,
} from './integration.rules.ts';

/** Integrations that belong to a whole workspace. */
export type WorkspaceIntegration = 'smsgateway' | 'socialpost';

/** Integration of the workspace, or a user's own to-do list. */
export type IntegrationRef = WorkspaceIntegration | { name: 'todolist'; user_id: string };

const integrationKey = (integration: IntegrationRef) =>
  typeof integration === 'string' ? { name: integration, user_id: null } : integration;

/** Settings of a connection, with the secrets that are encrypted separately. */
export interface Connection<Settings extends object, Secrets extends object> {
  /** Settings as displayed. */
  settings: Settings;
  secrets: Secrets;
  capabilities: readonly string[];
  report_token_hash?: string | null;
  /** Connection whose settings were reused. Undefined if nothing was reused. */
  reused_connection?: CalledConnection | undefined;
}

/** Returns the location of the encrypted secrets of an integration. */
export const secretsCipherLocation = (id: string): CipherLocation => ({
  table: 'integrations',
  column: 'secrets_sealed',
  id,
});

/** Returns the row of an integration, if it was ever connected. */
export const findIntegration = (db: Db, integration: IntegrationRef) =>
  db.integration.findFirst({ where: integrationKey(integration), include: { health: true } });

/** Connection at the time when its server was called. A new connection or a disconnection ends it. */
export interface CalledConnection {
  id: string;
  connected_at: Date | null;
}

/** Integration with the data to call its server. */
export interface OpenIntegration<Settings, Secrets> extends CalledConnection {
  status: string;
  settings: Settings;
  secrets: Secrets;
  /** Time of the next call after failures. Null without failures. */
  next_retry_at: Date | null;
}

/** Opens a connected integration with its secrets. @returns undefined if it is not connected */
export async function openIntegration<Settings, Secrets>(
  db: Db,
  keys: Keys,
  integration: IntegrationRef,
): Promise<OpenIntegration<Settings, Secrets> | undefined> {
  const row = await findIntegration(db, integration);
  if (!row?.secrets_sealed || !['connected', 'error'].includes(row.status)) return undefined;
  const { id, connected_at, status, settings, secrets_sealed, health } = row;
  const encryption = await openDecryption(db, keys.master);
  const secrets = JSON.parse(encryption.open(secretsCipherLocation(id), secrets_sealed)) as Secrets;
  const next_retry_at = health?.next_retry_at ?? null;
  return { id, connected_at, status, settings: settings as Settings, secrets, next_retry_at };
}

/** Opens a connected integration for operations that require one. @throws NotConnected */
export async function openConnected<Settings, Secrets>(db: Db, keys: Keys, integration: IntegrationRef) {
  const open = await openIntegration<Settings, Secrets>(db, keys, integration);
  if (!open) throw NotConnected({ integration: integrationKey(integration).name });
  return open;
}

/** Creates the row of an integration if missing, and locks it. Concurrent connections wait here. */
async function lockIntegration(db: Db, integration: IntegrationRef): Promise<string> {
  const { name, user_id } = integrationKey(integration);
  await db.rows(sql`
    INSERT INTO integrations (id, name, user_id) VALUES (gen_random_uuid(), ${name}, ${user_id}::uuid)
    ON CONFLICT (workspace_id, name, user_id) DO NOTHING`);
  const [row] = await db.rows<{ id: string }>(sql`
    SELECT id FROM integrations WHERE name = ${name} AND user_id IS NOT DISTINCT FROM ${user_id}::uuid FOR NO KEY UPDATE`);
  return row!.id;
}

/**
 * Stores a tested connection in place of the previous one.
 * @param by the user who connects
 * @throws ConnectionChanged where the connection with the reused settings no longer exists: deleted settings are not
 * restored
 */
export async function connectIntegration<Settings extends object, Secrets extends object>(
  db: Db,
  keys: Keys,
  integration: IntegrationRef,
  { settings, secrets, capabilities, report_token_hash = null, reused_connection }: Connection<Settings, Secrets>,
  by: string,
): Promise<string> {
  const id = await lockIntegration(db, integration);
  if (reused_connection && !(await isCurrent(db, reused_connection))) throw ConnectionChanged();
  const encryption = await openEncryption(db, keys.master);
  await integrationStates.move(db.integration, id, 'connect', {
    settings,
    secrets_sealed: encryption.seal(secretsCipherLocation(id), JSON.stringify(secrets)),
    capabilities: [...capabilities],
    report_token_hash,
    connected_at: clock.now(),
    connected_by: by,
  });
  await db.integrationHealth.deleteMany({ where: { id } });
  await db.integrationHealth.create({ data: { id, last_sync_at: clock.now() } });
  return id;
}

const EMPTY_CONNECTION = {
  secrets_sealed: null,
  capabilities: [],
  report_token_hash: null,
  connected_at: null,
  connected_by: null,
};

/** Deletes the settings of an integration. An integration that is not connected stays unchanged. */
export async function disconnectIntegration(db: Db, integration: IntegrationRef, caller: Caller): Promise<void> {
  const row = await findIntegration(db, integration);
  if (!row) return;
  await db.rows(sql`UPDATE integrations SET settings = NULL WHERE id = ${row.id}::uuid`);
  await integrationStates.move(db.integration, row.id, 'disconnect', EMPTY_CONNECTION, caller);
  await db.integrationHealth.deleteMany({ where: { id: row.id } });
}

/** Failed call of an integration. */
export interface CallFailure {
  code: string;
  message: string;
  /** Status of the server's response, if any. */
  status?: number;
}

/**
 * Returns true if a connection is still the one that was called. Results of earlier calls do not concern its
 * replacement.
 */
const isCurrent = async (db: Db, { id, connected_at }: CalledConnection): Promise<boolean> =>
  (await db.integration.count({ where: { id, connected_at } })) > 0;

/** Records a rejection by a working server. The user sees the reason as the last error. */
export async function recordRejection(
  db: Db,
  called: CalledConnection,
  { code, message }: CallFailure,
  count: number,
): Promise<void> {
  if (!(await isCurrent(db, called))) return;
  const error = { error_code: code, error_message: message, error_at: clock.now(), error_count: count };
  await db.integrationHealth.updateMany({ where: { id: called.id }, data: error });
}

const HOUR_MS = 3_600_000;

/** Records a successful call, and clears earlier errors. */
export async function recordSuccess(db: Db, called: CalledConnection): Promise<void> {
  if (!(await isCurrent(db, called))) return;
  const { id } = called;
  const cleared = { failures: 0, failing_since: null, next_retry_at: null, last_sync_at: clock.now() };
  await db.integrationHealth.updateMany({ where: { id }, data: cleared });
  const row = await db.integration.findFirst({ where: { id } });
  if (row?.status === 'error') await integrationStates.move(db.integration, id, 'recover');
}

/**
 * Records a failed call. After five consecutive failures, calls to the server pause for a minute. Rejected credentials,
 * and failures for an hour, set the status to `error`.
 */
export async function recordFailure(
  db: Db,
  called: CalledConnection,
  { code, message, status }: CallFailure,
): Promise<void> {
  if (!(await isCurrent(db, called))) return;
  const { id } = called;
  const now = clock.now();
  const [health] = await db.rows<{ failures: number; failing_since: Date }>(sql`
    UPDATE integration_health SET failures = failures + 1, failing_since = coalesce(failing_since, ${now}::timestamptz),
      error_code = ${code}, error_message = ${message}, error_at = ${now}::timestamptz, error_count = failures + 1
    WHERE id = ${id}::uuid RETURNING failures, failing_since`);
  if (!health) return;
  const pause_s = pauseAfter(health.failures);
  if (pause_s !== undefined) {
    const next_retry_at = new Date(now.getTime() + pause_s * 1_000);
    await db.integrationHealth.updateMany({ where: { id }, data: { next_retry_at } });
  }
  const isLasting = now.getTime() - new Date(health.failing_since).getTime() >= HOUR_MS;
  if (!isLasting && !(status !== undefined && isCredentialStatus(status))) return;
  const row = await db.integration.findFirst({ where: { id } });
  if (row?.status === 'connected') await integrationStates.move(db.integration, id, 'fail');
}

/**
 * Records that a delivery failed. Rejected content, such as an invalid number, does not count as a failure of the
 * server.
 */
export async function recordFailedDelivery(db: Db, called: CalledConnection, failure: CallFailure): Promise<void> {
  const isRefused = failure.status !== undefined && isContentStatus(failure.status);
  await (isRefused ? recordRejection(db, called, failure, 1) : recordFailure(db, called, failure));
}

/** Integrations. Each is a module of plans. */
const MODULES = ['smsgateway', 'socialpost', 'todolist'];

/** Disables integrations whose module is disabled. Restores integrations whose module is enabled again. */
export async function switchIntegrations(db: Db, modules: readonly string[]): Promise<void> {
  for (const { id, name, status } of await db.integration.findMany({ where: { name: { in: MODULES } } })) {
    const isOn = modules.includes(name);
    if (isOn && status === 'disabled') await integrationStates.move(db.integration, id, 'enable');
    if (!isOn && ['connected', 'error'].includes(status)) await integrationStates.move(db.integration, id, 'disable');
  }
}
