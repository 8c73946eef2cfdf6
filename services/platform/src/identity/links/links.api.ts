/**
 * Links in e-mails: invitations, password resets and confirmations of addresses. These operations are additions to
 * the specification, because invited users could not sign in without them.
 */
import { ok, open, fileOf } from '@suite/chassis/operations';
import { recordRequest } from '../login-throttling/account-request.ts';
import { loginAttempt, spendAttempt } from '../login-throttling/login-allowance.ts';
import { hashPassword, unknownNetwork } from '../passwords/password.ts';
import { assertNotOwn } from '../passwords/weak-password.rules.ts';
import { command, query } from '../../operations.ts';
import { EmailTaken } from '../accounts/user.rules.ts';
import {
  EmailConfirmation,
  EmailDecision,
  ForgottenPassword,
  InvitationAcceptance,
  LinkSent,
  LinkUsed,
  PasswordReset,
} from './link.schema.ts';
import { sendLinkPage } from './link-page.ts';
import {
  acceptInvitation,
  approveEmail,
  confirmEmail,
  loginOf,
  PasswordRequired,
  rejectEmail,
  replacePassword,
} from './link-use.ts';
import { EmailChangeUnapproved } from '../accounts/email.ts';
import { findLink, LinkSpent } from '../mail/one-time-link.ts';

const ADDITION = 'A link sent by e-mail (invitation, reset, verification) must work for a user without a session.';

export const page = query('GET /api/one-time-link', {
  summary: 'Open the page of an e-mail link',
  description:
    'Returns the page behind the links in e-mails, without personal data. The token follows `#` in the address and stays in the browser until submitted.',
  addition: ADDITION,
  access: open,
  reply: fileOf('text/html'),
  handle: () => sendLinkPage,
});

export const accept = command('POST /api/accept-invitation', {
  summary: 'Accept an invitation',
  description:
    'Activates the account and verifies the e-mail address. Requires a new password, which replaces a password set by another user. Returns `password_needed` if it is missing. Returns `link_spent` for a used or expired link.',
  addition: ADDITION,
  access: open,
  body: InvitationAcceptance,
  reply: ok(LinkUsed),
  faults: [LinkSpent, PasswordRequired],
  async prepare({ body: { token, password }, read, request }) {
    if (password === undefined) return undefined;
    assertNotOwn(password, await read((db) => findLink(db, 'accept_invitation', token)));
    return await hashPassword(password, unknownNetwork(request.address));
  },
  async handle({ db, body, prepared: hash, emit, request }) {
    return await loginOf(db, await acceptInvitation(db, emit, { token: body.token, hash }, request));
  },
});

export const reset = command('POST /api/reset-password', {
  summary: 'Reset your password',
  description:
    'Sets a new password and ends all sessions of the account. Requires the token of the reset link. Revokes the API keys on request. Returns `link_spent` for a used or expired link.',
  addition: ADDITION,
  access: open,
  body: PasswordReset,
  reply: ok(LinkUsed),
  faults: [LinkSpent],
  async prepare({ body, read, request }) {
    assertNotOwn(body.password, await read((db) => findLink(db, 'reset_password', body.token)));
    return await hashPassword(body.password, unknownNetwork(request.address));
  },
  async handle({ db, body, prepared: hash, emit, request }) {
    return await loginOf(db, await replacePassword(db, emit, { ...body, hash }, request));
  },
});

export const verifyEmail = command('POST /api/verify-email', {
  summary: 'Confirm a new e-mail address',
  description:
    'Activates the new address for signing in and ends all sessions. Requires the token of the link sent to the new address. Returns `email_change_unapproved` while the current address has not approved a change by another user.',
  addition: ADDITION,
  access: open,
  body: EmailConfirmation,
  reply: ok(LinkUsed),
  faults: [LinkSpent, EmailTaken, EmailChangeUnapproved],
  async handle({ db, body, emit, request }) {
    return await loginOf(db, await confirmEmail(db, emit, body.token, request));
  },
});

export const approveChange = command('POST /api/approve-email-change', {
  summary: 'Approve a change of your e-mail address',
  description:
    'Approves the new address that another user has requested for you. Requires the token of the link sent to the current address. The new address must still confirm the change.',
  addition: ADDITION,
  access: open,
  body: EmailDecision,
  reply: ok(LinkUsed),
  faults: [LinkSpent],
  handle: async ({ db, body }) => await loginOf(db, await approveEmail(db, body.token)),
});

export const rejectChange = command('POST /api/reject-email-change', {
  summary: 'Reject a change of your e-mail address',
  description:
    'Rejects the new address that another user has requested for you. Requires the token of the link sent to the current address. All links of the request stop working.',
  addition: ADDITION,
  access: open,
  body: EmailDecision,
  reply: ok(LinkUsed),
  faults: [LinkSpent],
  handle: async ({ db, body }) => await loginOf(db, await rejectEmail(db, body.token)),
});

export const forgot = command('POST /api/forgot-password', {
  summary: 'Request a password reset',
  description:
    'Sends a link to choose a new password. Returns the same response after the same time for unknown addresses.',
  addition: 'A user who has forgotten the password has no session to call with.',
  access: open,
  body: ForgottenPassword,
  reply: ok(LinkSent),
  async handle({ db, body, request }) {
    // Counted separately from sign-ins, and per address. No caller can prevent others from signing in or from
    // requesting a link.
    await spendAttempt(db, loginAttempt(`forgot ${body.email}`, request.address));
    await recordRequest(db, { kind: 'forgot_password', email: body.email }, request);
    return { email: body.email, message: 'If there is an account with this address, a link is on its way to it.' };
  },
});
