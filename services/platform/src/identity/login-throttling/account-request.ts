/**
 * Requests of unauthenticated callers about accounts: a failed sign-in, a link to a new password. Each request is
 * written the same way, whether the account exists or not. Neither the duration nor the work of a response reveals
 * which. Requests for existing accounts are executed a moment later.
 */
import { randomUUIDv7 } from 'node:crypto';
import { runAfterCommit, sql } from '@suite/chassis/database';
import type { RequestMetadata } from '@suite/chassis/operations';
import { runDueWork, declareSchedule, findEverywhere, isNotPostponed, type JobContext } from '@suite/chassis/service';
import { DELIVER_MAIL } from '../mail/mail-templates.ts';
import { withoutCaller, type Db } from '../../operations.ts';

/** Request for one account, or for all accounts with an address. */
export type AccountRequest =
  | { kind: 'login_failed'; user_id: string | null }
  | { kind: 'forgot_password'; email: string };

/** Records a request. */
export async function recordRequest(db: Db, request: AccountRequest, origin: RequestMetadata): Promise<void> {
  const { kind, user_id, email } = { user_id: null, email: null, ...request };
  await db.rows(sql`
    INSERT INTO account_requests (id, kind, user_id, email, address, user_agent)
    VALUES (${randomUUIDv7()}::uuid, ${kind}, ${user_id}::uuid, ${email}, ${origin.address}, ${origin.user_agent})`);
}

interface LeasedRequest {
  id: string;
  kind: AccountRequest['kind'];
  email: string | null;
  user_id: string | null;
  address: string;
  user_agent: string;
  created_at: string;
}

/** Records a failed attempt in the log of its account. */
const logFailure = (db: Db, { id, user_id, address, user_agent, created_at }: LeasedRequest) =>
  db.rows(sql`
    INSERT INTO user_log (id, workspace_id, user_id, event, address, user_agent, created_at)
    SELECT ${id}::uuid, workspace_id, id, 'login_failed', ${address}, ${user_agent}, ${created_at}::timestamptz
    FROM users WHERE id = ${user_id}::uuid AND status <> 'deleted'`);

/**
 * Queues an e-mail to the owner of an address for each account: a link to a new password, or the invitation again.
 * Sends at most one e-mail a minute, regardless of the number of requests.
 */
async function queuePasswordMail(db: Db, { email }: LeasedRequest): Promise<void> {
  const accounts = await db.rows<{ id: string; letter: string }>(sql`
    SELECT users.id, CASE users.status WHEN 'active' THEN 'reset_password' ELSE 'invitation' END AS letter
    FROM users JOIN workspaces ON workspaces.id = users.workspace_id
    WHERE users.email = ${email} AND users.status IN ('active', 'invited') AND workspaces.status = 'active'`);
  for (const { id, letter } of accounts) {
    await db.rows(sql`
      INSERT INTO outgoing_mail (id, workspace_id, user_id, letter, email, give_up_at)
      SELECT ${randomUUIDv7()}::uuid, users.workspace_id, users.id, ${letter}, ${email}, now() + interval '30 minutes'
      FROM users WHERE users.id = ${id}::uuid AND NOT EXISTS (
        SELECT FROM outgoing_mail AS earlier
        WHERE earlier.workspace_id = users.workspace_id AND earlier.user_id = users.id AND earlier.letter = ${letter}
          AND earlier.email = ${email} AND earlier.status IN ('queued', 'sent') AND earlier.created_at > now() - interval '1 minute')`);
  }
  runAfterCommit(DELIVER_MAIL);
}

const SCHEDULE = 'platform.settle-account-requests';
const BATCH = 100;
/** Placeholder workspace ID, because requests of unauthenticated callers belong to no workspace. */
const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

/** Executes one request, unless it was executed in the meantime. */
async function executeRequest(db: Db, id: string): Promise<void> {
  const [request] = await db.rows<LeasedRequest>(sql`
    DELETE FROM account_requests WHERE id = ${id}::uuid RETURNING id, kind, email, user_id, address, user_agent, created_at`);
  if (request) await (request.kind === 'login_failed' ? logFailure : queuePasswordMail)(db, request);
}

/**
 * Executes the requests of unauthenticated callers, oldest first. Covers all workspaces, since an address does not
 * identify its workspace.
 */
export async function executeRequests(tools: Pick<JobContext<Db>, 'database' | 'log'>): Promise<void> {
  const due = await findEverywhere<{ id: string; workspace_id: string }>(
    tools.database,
    SCHEDULE,
    sql`
      SELECT id, ${NO_WORKSPACE}::uuid AS workspace_id FROM account_requests
      WHERE ${isNotPostponed(SCHEDULE, sql`${NO_WORKSPACE}::uuid`, sql`id`)} ORDER BY id LIMIT ${BATCH}`,
  );
  await runDueWork(tools, SCHEDULE, due, ({ id }) =>
    tools.database.writeEverywhere(withoutCaller('schedule:settle-account-requests'), (db) => executeRequest(db, id)),
  );
}

export const executeAccountRequests = declareSchedule(SCHEDULE, 1_000, executeRequests);
