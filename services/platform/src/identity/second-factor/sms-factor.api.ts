/** Text-message codes as a second factor, sent through the gateway of the workspace. */
import { ok } from '@suite/chassis/operations';
import { NotConnected } from '../../connections/integrations/integration.rules.ts';
import { command } from '../../operations.ts';
import { sessionsOnly, SessionRequired } from '../sessions/session.ts';
import { checkOwnPassword, passwordFault } from '../sessions/own-password.ts';
import { DailyLimit } from '../../connections/sms-messages/sms-message.rules.ts';
import {
  factorsOf,
  type FactorHolder,
  factorHolderOf,
  codeFault,
  SecondFactorKept,
  disableFactor,
  WrongCode,
} from './second-factor.ts';
import { PasswordAndCode, SecondFactor, SentCode, SmsEnabling } from './second-factor.schema.ts';
import { beginSmsFactor, NoSmsFactor, resendCode, SmsFactorExists } from './sms-factor.ts';

const ADDITION = 'A stolen password alone must not open an account.';

/**
 * Returns the signed-in recipient of a code. All sessions share one allowance, so that new sessions permit no further
 * messages.
 */
const receiverOf = (context: Parameters<typeof factorHolderOf>[0]): FactorHolder => ({
  ...factorHolderOf(context),
  known: 'signed in',
});

export const enable = command('POST /api/second-factor/sms/enable', {
  summary: 'Set up text-message codes',
  description:
    'Sends a code to the phone number. The number is active once you confirm the code with `POST /api/second-factor/confirm`. Until then you can send another number. Requires a code of your authenticator app or a recovery code if the app is active. Returns `not_connected` if the workspace has no text-message gateway.',
  addition: ADDITION,
  access: sessionsOnly,
  body: SmsEnabling,
  reply: ok(SentCode),
  faults: [SessionRequired, SmsFactorExists, WrongCode, NotConnected, DailyLimit],
  prepare: ({ body, caller, read }) => checkOwnPassword(read, caller, body.password),
  async handle({ body, prepared: proof, ...context }) {
    const { db, caller, request } = context;
    const fault = await passwordFault(db, caller, proof, 'password', request);
    if (fault) return fault;
    const factors = await factorsOf(db, caller.user_id);
    if (factors.includes('sms')) throw SmsFactorExists();
    return (
      (await codeFault(factorHolderOf(context), body.code)) ?? (await beginSmsFactor(receiverOf(context), body.phone))
    );
  },
});

export const send = command('POST /api/second-factor/sms/send', {
  summary: 'Send a code to your phone',
  description:
    'Sends a new code to your phone and invalidates the previous one. Use the code to confirm the number, or where an operation requires a code. Allows three codes, then one every five minutes.',
  addition: ADDITION,
  access: sessionsOnly,
  reply: ok(SentCode),
  faults: [SessionRequired, NoSmsFactor, NotConnected, DailyLimit],
  async handle(context) {
    return await resendCode(receiverOf(context), { confirmed: false });
  },
});

export const disable = command('POST /api/second-factor/sms/disable', {
  summary: 'Disable text-message codes',
  description:
    'Disables text-message codes. Requires your password and a code. Returns `second_factor_kept` if the workspace requires a second factor and you have no other.',
  addition: ADDITION,
  access: sessionsOnly,
  body: PasswordAndCode,
  reply: ok(SecondFactor),
  faults: [SessionRequired, NoSmsFactor, SecondFactorKept, WrongCode],
  prepare: ({ body, caller, read }) => checkOwnPassword(read, caller, body.password),
  async handle({ body, prepared: proof, ...context }) {
    const { db, caller, request } = context;
    const fault = await passwordFault(db, caller, proof, 'password', request);
    if (fault) return fault;
    return await disableFactor(context, { kind: 'sms', code: body.code, missing: NoSmsFactor });
  },
});
