/** The workspace behind a token, for callers without a session. */
import type { Database } from '../database/database.ts';
import type { TransactionContext } from '../database/running.ts';
import { enterWorkspace } from '../database/transaction.ts';
import type { Caller } from '../identity/identity.ts';
import { linkTokens } from '../identity/workspace-token.ts';
import { NotFound, Unauthenticated } from '../runtime/fault.ts';
import type { Operation } from '../operation/operation.ts';

/**
 * Confines the transaction to the workspace that a link names, unless the caller is signed in there.
 * @throws NotFound in another workspace than the caller's
 */
export async function enterLinkedWorkspace(caller: Caller | null, workspace_id: string): Promise<void> {
  if (!caller) await enterWorkspace(workspace_id, null);
  else if (caller.workspace_id !== workspace_id) throw NotFound();
}

/**
 * Confines the transaction to the workspace of a link's token, unless the caller is signed in there.
 * @returns hash that finds the record of the token
 * @throws NotFound for an invalid token, or a token of another workspace than the caller's
 */
export async function enterByToken(caller: Caller | null, token: string): Promise<Uint8Array<ArrayBuffer>> {
  const read = linkTokens.read(token);
  if (!read) throw NotFound();
  await enterLinkedWorkspace(caller, read.workspace_id);
  return read.token_hash;
}

interface TokenRequest {
  params: Readonly<Record<string, unknown>>;
  bearer?: string;
}

interface TokenHost {
  database: Database<unknown>;
  rpc(caller: Caller | null, request_id: string): object;
}

/**
 * Rejects a token of a workspace that is suspended, or lacks the module of the operation. Also rejects an unknown token if the
 * operation receives files. The other operations reject unknown tokens themselves.
 * @throws NotFound for a link, Unauthenticated for a bearer token: the faults for unknown tokens
 */
export async function assertTokenValid(
  { access, module }: Operation,
  { params, bearer = '' }: TokenRequest,
  { database, rpc }: TokenHost,
  context: TransactionContext,
): Promise<void> {
  if (access.kind !== 'public' || !access.token) return;
  const { param, tokens, lookUp, find } = access.token;
  const token = param === undefined ? bearer : String(params[param]);
  const named = tokens.read(token);
  if (named) {
    const clients = rpc(context.caller, context.request_id) as never;
    const { active, modules } = await lookUp({ rpc: clients }, named.workspace_id);
    if (!active || (module !== undefined && !modules.includes(module)))
      throw param === undefined ? Unauthenticated() : NotFound();
  }
  if (find) await database.read(context, (db) => find(db as never, token));
}
