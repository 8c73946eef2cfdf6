import { Email, input } from '@suite/chassis';
import { z } from 'zod';
import { revoke_api_keys } from '../fields.schema.ts';
import { NewPassword } from '../sessions/session.schema.ts';

const Token = z.string().min(1).max(200);

export const PasswordChoice = input({ token: Token, password: NewPassword });
export const PasswordReset = PasswordChoice.extend({ revoke_api_keys });
export const EmailConfirmation = input({ token: Token });
export const ForgottenPassword = input({ email: Email });

/** The address and, for those who have an account in several workspaces, the short name of the workspace. */
export const LinkUsed = z.object({ email: z.string(), workspace: z.string() });
/** Says nothing of whether there is such an account. */
export const LinkSent = z.object({ email: z.string(), message: z.string() });
