/** Tokens of mailboxes. Only their hashes are stored. */
import { enterWorkspace, sql } from '@suite/chassis/database';
import { Unauthenticated } from '@suite/chassis/faults';
import { prefixedTokens } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';

export const mailboxTokens = prefixedTokens('mbx');

/** The parts of a mailbox that inbound e-mails need. */
export interface OpenMailbox {
  id: string;
  workspace_id: string;
  address: string;
  category_id: string | null;
  auto_acknowledge: boolean;
  requester_from: 'from' | 'reply_to';
  mailing_lists: 'ticket' | 'refuse';
  automatic_emails: 'ticket' | 'refuse';
  /** Server whose authentication results count. Null if none do. */
  authentication_server: string | null;
}

/**
 * Finds the active mailbox of a token, and confines the transaction to its workspace.
 * @throws Unauthenticated for a token that is unknown or exchanged, and for a mailbox that is not active
 */
export async function openMailbox(db: Db, token: string): Promise<OpenMailbox> {
  const { workspace_id, token_hash } = mailboxTokens.read(token) ?? {};
  if (!workspace_id) throw Unauthenticated();
  await enterWorkspace(workspace_id, null);
  const [mailbox] = await db.rows<OpenMailbox>(sql`
    SELECT id, workspace_id, address, category_id, auto_acknowledge, authentication_server, requester_from,
      mailing_lists, automatic_emails FROM mailboxes
    WHERE active AND (token_hash = ${token_hash}
      OR (former_token_hash = ${token_hash} AND former_token_until > ${clock.now()}::timestamptz))`);
  if (!mailbox) throw Unauthenticated();
  return mailbox;
}
