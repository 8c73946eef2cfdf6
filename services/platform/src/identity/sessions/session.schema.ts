import { choice, Email, Id, input, secret, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { z } from 'zod';
import { isCommon } from '../passwords/weak-password.rules.ts';
import { Me } from '../accounts/me.schema.ts';

/** Existing password: any text, since only its hash decides. */
export const PresentPassword = z.string().min(1).max(1_000);

/** New password. */
export const NewPassword = z
  .string()
  .min(10, 'Use at least 10 characters.')
  .max(200, 'Use at most 200 characters.')
  .refine((password) => new Set(password).size > 3, 'Use more than three different characters.')
  .refine((password) => !isCommon(password), 'This is one of the most common passwords. Choose another one.');

const DeviceToken = z.string().min(1).max(200);

/**
 * Credentials. An address may have accounts in several workspaces: `workspace` is the short name of the intended one. A
 * device that sends its token is known, and not blocked by guesses from elsewhere.
 */
export const Login = input({
  email: Email,
  password: PresentPassword,
  workspace: z.string().min(1).max(200).optional().meta({ example: 'northwind-trading' }),
  device_token: DeviceToken.optional(),
});

const orNothing = <T extends z.ZodType>(schema: T) =>
  z
    .literal('')
    .transform(() => undefined)
    .or(schema);

/** Credentials from another service, with the address and program of the original caller. Empty texts are omitted. */
export const TrackerCredentials = z.object({
  email: Email,
  password: PresentPassword,
  workspace: orNothing(Login.shape.workspace),
  device_token: orNothing(Login.shape.device_token),
  address: z.string().max(100),
  user_agent: z.string().max(1_000),
});

export const Refresh = input({ refresh_token: z.string().min(1).max(200) });

/** Tokens of a session, named as in OAuth 2. */
export const Tokens = z.object({
  access_token: secret(z.string()),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.int(),
  refresh_token: secret(z.string()),
  /** Seconds. */
  refresh_expires_in: z.int(),
});

/** Result of a sign-in. `device_token` is for the next sign-in from this device. */
export const SignedIn = Tokens.extend({ device_token: secret(z.string()), user: Me });

export const SignedOut = z.object({ session_id: Id, ended: z.literal(true) });

/** Active session: one sign-in. */
export const Session = z
  .object({
    id: Id,
    device: z.string().describe('Device, as reported by its program.').meta({ example: 'Firefox on Linux' }),
    purpose: choice('web', 'tracker').describe('A session of a tracker can track time, and nothing else.'),
    user_agent: z.string(),
    address: z.string().describe('IP address of the sign-in.'),
    created_at: Timestamp,
    updated_at: Timestamp.describe('Time of the last use. Initially the creation time.'),
    expires_at: Timestamp,
    last_used_at: Timestamp.nullable(),
    last_used_from: z.string().nullable(),
    current: z.boolean(),
  })
  .meta({ id: 'Session' });

export const SessionFilter = list(Session, {
  filter: ['id', 'purpose', 'address', 'created_at', 'expires_at'],
  sort: ['created_at', 'expires_at'],
});
