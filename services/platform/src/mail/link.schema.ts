import { Email, input } from '@suite/chassis';
import { z } from 'zod';
import { NewPassword } from '../sessions/session.schema.ts';

const Token = z.string().min(1).max(200);

export const PasswordChoice = input({ token: Token, password: NewPassword });
export const EmailConfirmation = input({ token: Token });
export const ForgottenPassword = input({ email: Email });

/** The address to sign in with. */
export const LinkUsed = z.object({ email: z.string() });
/** Says nothing of whether there is such an account. */
export const LinkSent = z.object({ email: z.string(), message: z.string() });
