import { choice, input, secret, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';
import { PhoneNumber } from '../../connections/sms-provider/sms-provider.schema.ts';
import { PresentPassword, SignedIn } from '../sessions/session.schema.ts';

/** Six digits from the app or a text message, or a recovery code. */
const Code = z.string().trim().min(6).max(20).meta({ example: '123456' });
const Challenge = z.string().min(1).max(200);
const DeviceToken = z.string().min(1).max(200).optional();

/** State of the second factor. */
export const SecondFactor = z
  .object({
    enabled: z.boolean(),
    enabled_at: Timestamp.nullable(),
    recovery_codes_left: z.int(),
    /** True if the workspace requires a second factor. */
    required: z.boolean(),
    factors: z.array(choice('app', 'sms')).describe('Active second factors.'),
    sms: z.object({
      available: z.boolean().describe('Whether the workspace has a gateway that can send codes.'),
      enabled_at: Timestamp.nullable(),
      phone_end: z.string().nullable().describe('Last two digits of the number.'),
    }),
  })
  .meta({ id: 'SecondFactor' });

/** Secret for an authenticator app. Shown only once. */
export const NewSecret = z.object({ secret: secret(z.string()), otpauth_url: secret(z.string()) });
/** Single-use recovery codes. Shown only once. */
export const RecoveryCodes = z.object({ recovery_codes: secret(z.array(z.string())) });
/** Code sent by text message. */
export const SentCode = z
  .object({ phone_end: z.string().describe('Last two digits of the number.'), expires_in_seconds: z.int() })
  .meta({ id: 'SentCode' });

const PresentCode = Code.optional().describe('Code of an existing second factor.');
export const Enabling = input({ password: PresentPassword, code: PresentCode });
export const SmsEnabling = input({ password: PresentPassword, phone: PhoneNumber, code: PresentCode });
export const Confirmation = input({ code: Code });
export const PasswordAndCode = input({ password: PresentPassword, code: Code });

/** Second half of a sign-in. `challenge` comes from the response to the first half. */
export const ChallengeAnswer = input({ challenge: Challenge, code: Code, device_token: DeviceToken });
export const Enrolment = input({ challenge: Challenge });
export const CodeRequest = input({
  challenge: Challenge,
  device_token: DeviceToken.describe('Token of a known device, which has a separate allowance of codes.'),
});
export const SmsEnrolment = input({ challenge: Challenge, phone: PhoneNumber });
export const Enrolled = SignedIn.extend({ recovery_codes: secret(z.array(z.string())) });
