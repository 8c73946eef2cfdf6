/** Sessions: an access token for ten minutes, and a refresh token that returns the next pair once. */
import { raw, sql } from '@suite/chassis/database';
import { Fault, NotFound } from '@suite/chassis/faults';
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { ok, open, page, anyUser, withTrackers } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { EnrolmentRequired, SecondFactorRequired } from '../second-factor/challenge.ts';
import { recordAccountEvent } from '../accounts/user-log.ts';
import { deviceName } from '../sessions/device.ts';
import { Login, Refresh, Session, SessionFilter, SignedIn, SignedOut, Tokens } from '../sessions/session.schema.ts';
import { endSessions, refreshSession, sessionsOnly, SessionRequired, TokenReused } from '../sessions/session.ts';
import {
  AccountDisabled,
  EmailUnverified,
  checkPassword,
  enterByPassword,
  WorkspaceSuspended,
  WrongCredentials,
} from './password-sign-in.ts';
import { completeSignIn, toTokens } from './sign-in.ts';

const ADDITION = 'A user with a forgotten or stolen session must be able to end it from another one.';

const LAST_USE = (column: 'at' | 'address') =>
  sql`(SELECT ${raw(column)} FROM last_uses WHERE last_uses.workspace_id = sessions.workspace_id AND last_uses.id = sessions.id)`;

export const login = command('POST /api/login', {
  summary: 'Sign in',
  description:
    'Returns the tokens of a new session. Unknown addresses and wrong passwords return the same response after the same time. Allows ten failures per IP address or known device, then one every six seconds. If the address has accounts in several workspaces, `workspace` selects one. It defaults to the account with the earliest verified address. Returns 401 `second_factor_needed` or `second_factor_enrolment_needed` with a `challenge` if the account needs a second factor. Send the challenge to `POST /api/login/second-factor`, or to `POST /api/login/second-factor/enable` to set up a factor.',
  access: open,
  body: Login,
  reply: ok(SignedIn),
  faults: [
    WrongCredentials,
    AccountDisabled,
    EmailUnverified,
    WorkspaceSuspended,
    SecondFactorRequired,
    EnrolmentRequired,
  ],
  prepare: ({ body, request, read }) => checkPassword(read, body, request),
  async handle({ body: { device_token }, prepared: checked, ...context }) {
    const user_id = await enterByPassword(context.db, checked, { request: context.request, purpose: 'web' });
    if (user_id instanceof Fault) return user_id;
    return await completeSignIn(context, { user_id, device_token, purpose: 'web' });
  },
});

// Chosen: the refresh is available without an access token, which has usually expired by then. The refresh token in the
// body
// authenticates the request, because headers may be logged.
export const refresh = command('POST /api/refresh', {
  summary: 'Refresh the tokens of a session',
  description:
    'Returns new tokens. A refresh token works once. For ten seconds, repeating the request returns the same tokens. Later reuse returns `token_reused` and ends the session.',
  access: open,
  body: Refresh,
  reply: ok(Tokens),
  faults: [TokenReused],
  async handle({ db, body, request, keys, emit }) {
    const session = await refreshSession(db, emit, body.refresh_token, request);
    return session instanceof Fault ? session : toTokens(keys, session);
  },
});

export const logout = command('POST /api/logout', {
  summary: 'Sign out',
  description:
    'Ends the session of this request: its tokens stop working immediately. Other sessions stay signed in. API keys return 403 `session_required`, because they have no session. Revoke the key instead.',
  access: withTrackers(sessionsOnly),
  reply: ok(SignedOut),
  faults: [SessionRequired],
  async handle({ db, caller, request, emit }) {
    const { session_id, user_id } = caller;
    // Chosen: an API key has no session to end, and must not be revoked by mistake. Use DELETE
    // /api/v1/settings/api-keys/{id} for that.
    if (!session_id) throw SessionRequired();
    await endSessions(db, emit, 'logout', { id: session_id });
    await recordAccountEvent(db, 'logout', user_id, request, session_id);
    return { session_id, ended: true as const };
  },
});

export const list = query('GET /api/sessions', {
  summary: 'List your sessions',
  description: 'Returns your active sessions with device and last use. `current` marks the session of this request.',
  addition: ADDITION,
  access: anyUser,
  query: SessionFilter,
  reply: page(Session),
  async handle({ db, query, caller }) {
    const result = await paginate(db, query, {
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
    const rows = (result.rows as { device: string; purpose: string }[]).map((row) => ({
      ...row,
      device: deviceName(row.device, row.purpose),
    }));
    return { ...result, rows };
  },
});

export const end = command('DELETE /api/sessions/{id}', {
  summary: 'End one of your sessions',
  description:
    'Ends the session: its tokens stop working immediately. Ending a session again changes nothing. Records the sign-out in the account events.',
  addition: ADDITION,
  access: anyUser,
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
