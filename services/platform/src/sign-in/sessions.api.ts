/**
 * A session is one sign-in: an access token of ten minutes that says who is calling, and a refresh token, good for one
 * use, that yields the next pair.
 */
import {
  enterWorkspace,
  Fault,
  fault,
  idOf,
  NotFound,
  ok,
  open,
  page,
  paginate,
  raw,
  signedIn,
  sql,
} from '@suite/chassis';
import { recordRequest } from '../attempts/account-request.ts';
import { accountByEmail } from './account.ts';
import { assertAllowance, assertAllowanceLeft, attemptAt, spendAttempt } from '../attempts/login-allowance.ts';
import { hashPassword, isOutdated, isPassword } from '../passwords/password.ts';
import { hashOf } from '../identity/token.ts';
import { command, query } from '../operations.ts';
import { challengeFor, EnrolmentNeeded, SecondFactorNeeded } from '../second-factor/challenge.ts';
import { recordAccountEvent } from '../accounts/user-log.ts';
import { deviceName } from '../sessions/device.ts';
import { Login, Refresh, Session, SessionFilter, SignedIn, SignedOut, Tokens } from '../sessions/session.schema.ts';
import { endSessions, refreshSession, SessionRequired, TokenReused } from '../sessions/session.ts';
import { completeSignIn, tokens } from './sign-in.ts';

export const WrongCredentials = fault(401, 'wrong_credentials', 'The e-mail address or the password is not right.');
export const AccountDisabled = fault(403, 'account_disabled', 'This account has been disabled.');
export const WorkspaceSuspended = fault(403, 'workspace_suspended', 'This workspace has been suspended.');

const LAST_USE = (column: 'at' | 'address') =>
  sql`(SELECT ${raw(column)} FROM last_uses WHERE last_uses.workspace_id = sessions.workspace_id AND last_uses.id = sessions.id)`;

export const login = command('POST /api/login', {
  summary: 'Sign in',
  description:
    'Answers the same, after the same time, whether the address is unknown or the password wrong. Ten failures are allowed at once from one address or known device, and then one every six seconds; an account at which very many fail gives each stranger one try a minute. An address that has accounts in several workspaces names one with `workspace`; otherwise the account counts whose owner proved the address first. Where a second factor is needed, the answer is 401 `second_factor_needed` or `second_factor_enrolment_needed` with a `challenge` in its details, for `POST /api/login/second-factor`.',
  access: open,
  body: Login,
  reply: ok(SignedIn),
  faults: [WrongCredentials, AccountDisabled, WorkspaceSuspended, SecondFactorNeeded, EnrolmentNeeded],
  async prepare({ body, request, read }) {
    const { account, attempt } = await read(async (db) => {
      const device_token_hash = hashOf(body.device_token ?? '');
      const found = await accountByEmail(db, { email: body.email, workspace: body.workspace, device_token_hash });
      const tried = attemptAt(body.email, request.address, found.device_id);
      await assertAllowance(db, tried);
      return { account: found, attempt: tried };
    });
    const right = await isPassword(body.password, account.password_hash);
    const renewed = right && isOutdated(account.password_hash!) ? await hashPassword(body.password) : undefined;
    return { account, attempt, right, renewed };
  },
  async handle({ db, body, prepared, request, keys, links }) {
    const { account, attempt, right, renewed } = prepared;
    const { user_id, workspace_id } = account;
    if (!right || !user_id) {
      await spendAttempt(db, attempt);
      await recordRequest(db, { kind: 'login_failed', user_id }, request);
      return WrongCredentials();
    }
    await assertAllowanceLeft(db, attempt);
    if (account.workspace_status !== 'active') return WorkspaceSuspended();
    if (account.status !== 'active') return AccountDisabled();
    const [, challenge] = await Promise.all([enterWorkspace(workspace_id, user_id), challengeFor(db, user_id)]);
    if (renewed) await db.password.updateMany({ where: { id: user_id }, data: { hash: renewed } });
    return challenge ?? (await completeSignIn({ db, keys, links, request }, user_id, body.device_token));
  },
});

// Chosen: open to callers without an access token, because that has usually expired when it is time to refresh. The
// bearer of this operation is the refresh token, in the body, where it does not end up in logs of headers.
export const refresh = command('POST /api/refresh', {
  summary: 'Exchange a refresh token for new tokens',
  description:
    'A refresh token works once. For ten seconds it yields the same successor again, in case the answer was lost; used later, it ends the session.',
  access: open,
  body: Refresh,
  reply: ok(Tokens),
  faults: [TokenReused],
  async handle({ db, body, request, keys, emit }) {
    const session = await refreshSession(db, emit, body.refresh_token, request);
    return session instanceof Fault ? session : tokens(keys, session);
  },
});

export const logout = command('POST /api/logout', {
  summary: 'End this session',
  access: signedIn,
  reply: ok(SignedOut),
  faults: [SessionRequired],
  async handle({ db, caller, request, emit }) {
    const { session_id, user_id } = caller;
    // Chosen: an API key has no session to end, and is not revoked by mistake: DELETE /api/v1/settings/api-keys/{id} does that.
    if (!session_id) throw SessionRequired();
    await endSessions(db, emit, 'logout', { id: session_id });
    await recordAccountEvent(db, 'logout', user_id, request, session_id);
    return { session_id, ended: true as const };
  },
});

export const list = query('GET /api/sessions', {
  summary: 'List your sessions',
  description: 'Where you are signed in now; `current` marks the session that asks.',
  access: signedIn,
  query: SessionFilter,
  reply: page(Session),
  async handle({ db, query, caller }) {
    const found = await paginate(db, query, {
      table: 'sessions',
      where: sql`sessions.user_id = ${caller.user_id}::uuid AND revoked_at IS NULL AND expires_at > now()`,
      compute: {
        device: sql`sessions.user_agent`,
        current: sql`sessions.id = ${caller.session_id ?? null}::uuid IS TRUE`,
        updated_at: sql`coalesce(${LAST_USE('at')}, sessions.created_at)`,
        last_used_at: LAST_USE('at'),
        last_used_from: LAST_USE('address'),
      },
    });
    const rows = (found.rows as { device: string }[]).map((row) => ({ ...row, device: deviceName(row.device) }));
    return { ...found, rows };
  },
});

export const end = command('DELETE /api/sessions/{id}', {
  summary: 'End one of your sessions',
  description: 'It has no access any more from this moment. Ending it again changes nothing.',
  access: signedIn,
  params: { id: idOf('sessions') },
  reply: ok(SignedOut),
  async handle({ db, params, caller, request, emit }) {
    const { user_id } = caller;
    const session = await db.session.findFirst({ where: { id: params.id, user_id } });
    if (!session) throw NotFound();
    if (!session.revoked_at) {
      await endSessions(db, emit, 'logout', { id: session.id });
      await recordAccountEvent(db, 'logout', user_id, request, session.id);
    }
    return { session_id: session.id, ended: true as const };
  },
});
