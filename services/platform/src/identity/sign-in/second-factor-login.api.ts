/** The second step of a sign-in: complete the challenge with a code, or set up a required factor. */
import { ok, open } from '@suite/chassis/operations';
import { NotConnected } from '../../connections/integrations/integration.rules.ts';
import { command } from '../../operations.ts';
import { DailyLimit } from '../../connections/sms-messages/sms-message.rules.ts';
import { deviceOf } from '../sessions/device.ts';
import { completeSignIn } from './sign-in.ts';
import { SignedIn } from '../sessions/session.schema.ts';
import { ChallengeExpired, endChallenges, enterChallenge } from '../second-factor/challenge.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  hasSecondFactor,
  SecondFactorExists,
  useCode,
  WrongCode,
} from '../second-factor/second-factor.ts';
import {
  ChallengeAnswer,
  CodeRequest,
  Enrolled,
  Enrolment,
  NewSecret,
  SentCode,
  SmsEnrolment,
} from '../second-factor/second-factor.schema.ts';
import { beginSmsFactor, NoSmsFactor, resendCode, SmsFactorExists } from '../second-factor/sms-factor.ts';

const ADDITION = 'A stolen password alone must not open an account.';

export const answer = command('POST /api/login/second-factor', {
  summary: 'Complete a sign-in with a code',
  description:
    'Returns the tokens of a new session. Requires the challenge of the sign-in and a code. Accepts codes of the app, text-message codes and recovery codes, each once. A challenge expires after five minutes or five attempts. Later attempts return 422 `challenge_over`.',
  addition: ADDITION,
  access: open,
  body: ChallengeAnswer,
  reply: ok(SignedIn),
  faults: [ChallengeExpired, WrongCode],
  async handle({ db, body, request, keys, links }) {
    const { user_id, purpose } = await enterChallenge(db, body.challenge);
    const device = await deviceOf(db, user_id, body.device_token);
    if (!(await useCode({ db, keys, user_id, request, known: device?.id }, body.code))) return WrongCode();
    await endChallenges(db, user_id);
    return await completeSignIn({ db, keys, links, request }, { user_id, purpose, device_token: body.device_token });
  },
});

export const enroll = command('POST /api/login/second-factor/enable', {
  summary: 'Set up a required second factor',
  description:
    'Sets up an authenticator app during sign-in, if the workspace requires a second factor and you have none. Returns the secret once. Returns `second_factor_on` if you already have one.',
  addition: ADDITION,
  access: open,
  body: Enrolment,
  reply: ok(NewSecret),
  faults: [ChallengeExpired, SecondFactorExists],
  async handle({ db, body, keys }) {
    const { user_id } = await enterChallenge(db, body.challenge);
    // A correct password alone cannot add another factor.
    if (await hasSecondFactor(db, user_id)) throw SecondFactorExists();
    return await beginSecondFactor({ db, keys, user_id });
  },
});

export const send = command('POST /api/login/second-factor/sms', {
  summary: 'Send a sign-in code',
  description:
    'Sends a code to your confirmed phone number and invalidates the previous code. Use it if the sign-in returned the factor `sms`. Allows three codes per network or known device, then one every five minutes. A code expires after ten minutes, the challenge after five.',
  addition: ADDITION,
  access: open,
  body: CodeRequest,
  reply: ok(SentCode),
  faults: [ChallengeExpired, NoSmsFactor, NotConnected, DailyLimit],
  async handle({ db, body, keys, request }) {
    const { user_id } = await enterChallenge(db, body.challenge, 0);
    const device = await deviceOf(db, user_id, body.device_token);
    return await resendCode({ db, keys, user_id, request, known: device?.id }, { confirmed: true });
  },
});

export const enrollSms = command('POST /api/login/second-factor/sms/enable', {
  summary: 'Set up required text-message codes',
  description:
    'Sets up text-message codes during sign-in, if the workspace requires a second factor and you have none. Sends a code to the phone number. Returns `not_connected` if the workspace has no text-message gateway.',
  addition: ADDITION,
  access: open,
  body: SmsEnrolment,
  reply: ok(SentCode),
  faults: [ChallengeExpired, SecondFactorExists, SmsFactorExists, NotConnected, DailyLimit],
  async handle({ db, body, keys, request }) {
    const { user_id } = await enterChallenge(db, body.challenge, 0);
    if (await hasSecondFactor(db, user_id)) throw SecondFactorExists();
    return await beginSmsFactor({ db, keys, user_id, request }, body.phone);
  },
});

export const complete = command('POST /api/login/second-factor/confirm', {
  summary: 'Confirm a required second factor',
  description:
    'Activates the factor that you have set up during sign-in. Returns the tokens of a new session and ten recovery codes, once.',
  addition: ADDITION,
  access: open,
  body: ChallengeAnswer,
  reply: ok(Enrolled),
  faults: [ChallengeExpired, WrongCode],
  async handle({ db, body, request, keys, links }) {
    const { user_id, purpose } = await enterChallenge(db, body.challenge);
    const isOn = await hasSecondFactor(db, user_id);
    const recovery_codes = isOn ? undefined : await confirmSecondFactor({ db, keys, user_id, request }, body.code);
    if (!recovery_codes) return WrongCode();
    await endChallenges(db, user_id);
    return {
      ...(await completeSignIn({ db, keys, links, request }, { user_id, purpose, device_token: body.device_token })),
      recovery_codes,
    };
  },
});
