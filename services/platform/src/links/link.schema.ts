import { Email, input } from '@suite/chassis';
import { z } from 'zod';
import { revoke_api_keys } from '../fields.schema.ts';
import { NewPassword } from '../sessions/session.schema.ts';

const Token = z.string().min(1).max(200);

export const InvitationAcceptance = input({
  token: Token.describe('The token of the link.'),
  password: NewPassword.optional().describe('Your new password. Leave it out to keep the one that you were given.'),
});
export const PasswordReset = input({ token: Token, password: NewPassword, revoke_api_keys });
export const EmailConfirmation = input({ token: Token });
export const EmailDecision = input({
  token: Token.describe('The token of the link that the current address received.'),
});
export const ForgottenPassword = input({ email: Email });

/** The address and, for those who have an account in several workspaces, the short name of the workspace. */
export const LinkUsed = z.object({ email: z.string(), workspace: z.string() });
/** Says nothing of whether there is such an account. */
export const LinkSent = z.object({ email: z.string(), message: z.string() });
