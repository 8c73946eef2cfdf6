/**
 * Recipients of automatic e-mails and text messages, with their rights when the message is sent. A recipient can lose
 * their account, module, permission or record while a message waits, and the message contains the record.
 */
import type { WorkspaceDatabase, TransactionContext, Database, Sql } from '@suite/chassis/database';
import { type Caller, callerOnBehalfOf } from '@suite/chassis/identity';
import type { Clients } from '@suite/chassis/rpc';
import type { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { callerWithRights } from './rights.ts';

type Rpc = Clients<{ platform: typeof PlatformServiceDefinition }>;

/** The tools of a schedule that recipients are read with. */
interface RecipientContext {
  rpc(caller: Caller | null, request_id: string): Rpc;
}

/** User who may sign in. */
export interface Recipient {
  name: string;
  /** Empty without an address. */
  email: string;
  /** Caller with the recipient's view of the content. */
  caller: Caller;
}

/**
 * Asks platform for a recipient with their current rights.
 * @param modules modules that show the content. The recipient needs one
 * @returns undefined for a user who cannot sign in, or without the modules
 */
export async function recipientOf(
  { rpc }: RecipientContext,
  { workspace_id, request_id }: TransactionContext,
  { user_id, modules }: { user_id: string; modules: readonly string[] },
): Promise<Recipient | undefined> {
  const at = { user_id, workspace_id: workspace_id! };
  const { users } = await rpc(callerOnBehalfOf(user_id, at.workspace_id), request_id).platform.batchGetRights({
    user_ids: [user_id],
  });
  const [rights] = users;
  if (!rights?.user || !modules.some((module) => rights.modules.includes(module))) return undefined;
  const { name, email } = rights.user;
  return { name, email, caller: callerWithRights(rights, at) };
}

/**
 * Asks platform for a recipient who may see a record now.
 * @param permission statement that selects the record, as `permission` the permission to view it
 * @returns undefined for a user who cannot sign in, or without the module, the permission or the record
 */
export async function recipientWithAccess<Db extends WorkspaceDatabase<object>>(
  tools: RecipientContext & { database: Pick<Database<Db>, 'view'> },
  context: TransactionContext,
  { permission, ...request }: { user_id: string; modules: readonly string[]; permission: Sql },
): Promise<Recipient | undefined> {
  const recipient = await recipientOf(tools, context, request);
  if (!recipient) return undefined;
  const { caller } = recipient;
  const [record] = await tools.database.view({ ...context, caller }, (db) =>
    db.rows<{ permission: string }>(permission),
  );
  return record && caller.permissions.includes(record.permission) ? recipient : undefined;
}

/** Asks platform whether a workspace is active and has a module. For recipients without an account. */
export async function hasModule(
  { rpc }: RecipientContext,
  { workspace_id, request_id }: TransactionContext,
  module: string,
) {
  const { active, modules } = await rpc(null, request_id).platform.getWorkspace({ workspace_id: workspace_id! });
  return active && modules.includes(module);
}
