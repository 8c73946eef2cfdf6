import { choice, input, secret, Timestamp } from '@suite/chassis';
import { z } from 'zod';
import { PhoneNumber } from '../sms-provider/sms-provider.schema.ts';
import { PresentPassword, SignedIn } from '../sessions/session.schema.ts';

/** Six digits of the app or of a text message, or a recovery code. */
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
    factors: z.array(choice('app', 'sms')).describe('Active second factors.'),
    sms: z.object({
      available: z.boolean().describe('Whether the workspace has a gateway that sends codes.'),
      enabled_at: Timestamp.nullable(),
      phone_end: z.string().nullable().describe('The last two digits of the number.'),
    }),
  })
  .meta({ id: 'SecondFactor' });

/** The secret for an authenticator app, which is shown once. */
export const NewSecret = z.object({ secret: secret(z.string()), otpauth_url: secret(z.string()) });
/** Shown once; each works once. */
export const RecoveryCodes = z.object({ recovery_codes: secret(z.array(z.string())) });
/** A code that was sent by text message. */
export const SentCode = z
  .object({ phone_end: z.string().describe('The last two digits of the number.'), expires_in_s: z.int() })
  .meta({ id: 'SentCode' });

const PresentCode = Code.optional().describe('A code of the second factor that there is already.');
export const Enabling = input({ password: PresentPassword, code: PresentCode });
export const SmsEnabling = input({ password: PresentPassword, phone: PhoneNumber, code: PresentCode });
export const Confirmation = input({ code: Code });
export const PasswordAndCode = input({ password: PresentPassword, code: Code });

/** The second half of a sign-in: `challenge` stands in the answer to the first. */
export const ChallengeAnswer = input({ challenge: Challenge, code: Code, device_token: DeviceToken });
export const Enrolment = input({ challenge: Challenge });
export const CodeRequest = input({
  challenge: Challenge,
  device_token: DeviceToken.describe('The token of a known device, which has an allowance of codes of its own.'),
});
export const SmsEnrolment = input({ challenge: Challenge, phone: PhoneNumber });
export const Enrolled = SignedIn.extend({ recovery_codes: secret(z.array(z.string())) });
