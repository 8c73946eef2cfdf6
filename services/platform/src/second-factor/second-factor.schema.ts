import { input, secret, Timestamp } from '@suite/chassis';
import { z } from 'zod';
import { PresentPassword, SignedIn } from '../sessions/session.schema.ts';

/** Six digits of the app, or a recovery code. */
const Code = z.string().trim().min(6).max(20).meta({ example: '123456' });
const Challenge = z.string().min(1).max(200);
const DeviceToken = z.string().min(1).max(200).optional();

/** How things stand. */
export const SecondFactor = z
  .object({
    enabled: z.boolean(),
    enabled_at: Timestamp.nullable(),
    recovery_codes_left: z.int(),
    /** Whether the workspace requires one. */
    required: z.boolean(),
  })
  .meta({ id: 'SecondFactor' });

/** The secret for an authenticator app, which is shown once. */
export const NewSecret = z.object({ secret: secret(z.string()), otpauth_url: secret(z.string()) });
/** Shown once; each works once. */
export const RecoveryCodes = z.object({ recovery_codes: secret(z.array(z.string())) });

export const Enabling = input({ password: PresentPassword });
export const Confirmation = input({ code: Code });
export const PasswordAndCode = input({ password: PresentPassword, code: Code });

/** The second half of a sign-in: `challenge` stands in the answer to the first. */
export const ChallengeAnswer = input({ challenge: Challenge, code: Code, device_token: DeviceToken });
export const Enrolment = input({ challenge: Challenge });
export const Enrolled = SignedIn.extend({ recovery_codes: secret(z.array(z.string())) });
