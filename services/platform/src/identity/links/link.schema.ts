import { Email, input } from '@suite/chassis/fields';
import { z } from 'zod';
import { revoke_api_keys } from '../passwords/password-reset.schema.ts';
import { NewPassword } from '../sessions/session.schema.ts';

const Token = z.string().min(1).max(200);

export const InvitationAcceptance = input({
  token: Token.describe('Token of the link.'),
  password: NewPassword.optional().describe('New password. Omit it only if you verified your address before.'),
});
export const PasswordReset = input({ token: Token, password: NewPassword, revoke_api_keys });
export const EmailConfirmation = input({ token: Token });
export const EmailDecision = input({
  token: Token.describe('Token of the link sent to the current address.'),
});
export const ForgottenPassword = input({ email: Email });

/** The address and, for users with accounts in several workspaces, the short name of the workspace. */
export const LinkUsed = z.object({ email: z.string(), workspace: z.string() });
/** Does not reveal whether such an account exists. */
export const LinkSent = z.object({ email: z.string(), message: z.string() });
