/** A mobile number as a second factor: proved by a code that is sent to it, through the text-message gateway of the workspace. */
import { ok, signedIn } from '@suite/chassis';
import { NotConnected } from '../integrations/integration.rules.ts';
import { command } from '../operations.ts';
import { SessionRequired } from '../sessions/session.ts';
import { provePassword, refusal } from '../sessions/own-password.ts';
import { DailyLimit } from '../sms-messages/sms-message.rules.ts';
import {
  factorsOf,
  type Holder,
  holderOf,
  refusalOfCode,
  SecondFactorKept,
  switchOff,
  WrongCode,
} from './second-factor.ts';
import { PasswordAndCode, SecondFactor, SentCode, SmsEnabling } from './second-factor.schema.ts';
import { beginSmsFactor, NoSmsFactor, sendAgain, SmsFactorOn } from './sms-factor.ts';

/** The receiver of a code who has signed in. All sessions share one allowance: new sessions bring no further messages. */
const receiverOf = (given: Parameters<typeof holderOf>[0]): Holder => ({ ...holderOf(given), known: 'signed in' });

export const enable = command('POST /api/second-factor/sms/enable', {
  summary: 'Set up text-message codes',
  description:
    'Sends a code to it; it counts once that was confirmed (`/api/second-factor/confirm`). Beside an app it takes a code of the app, or a recovery code. Another number may be given until then.',
  access: signedIn,
  body: SmsEnabling,
  reply: ok(SentCode),
  faults: [SessionRequired, SmsFactorOn, WrongCode, NotConnected, DailyLimit],
  prepare: ({ body, caller, read }) => provePassword(read, caller, body.password),
  async handle({ body, prepared: proof, ...given }) {
    const { db, caller, request } = given;
    const refused = await refusal(db, caller, proof, 'password', request);
    if (refused) return refused;
    const factors = await factorsOf(db, caller.user_id);
    if (factors.includes('sms')) throw SmsFactorOn();
    return (await refusalOfCode(holderOf(given), body.code)) ?? (await beginSmsFactor(receiverOf(given), body.phone));
  },
});

export const send = command('POST /api/second-factor/sms/send', {
  summary: 'Send a code to your phone',
  description:
    'To the one that is to be confirmed, or for what takes a code. The code before is worth nothing then. Three at once, then one every five minutes.',
  access: signedIn,
  reply: ok(SentCode),
  faults: [SessionRequired, NoSmsFactor, NotConnected, DailyLimit],
  async handle(given) {
    if (!given.caller.session_id) throw SessionRequired();
    return await sendAgain(receiverOf(given), { confirmed: false });
  },
});

export const disable = command('POST /api/second-factor/sms/disable', {
  summary: 'Disable text-message codes',
  description:
    'Takes the password and a code, and is refused while the workspace requires a second factor and there is no other.',
  access: signedIn,
  body: PasswordAndCode,
  reply: ok(SecondFactor),
  faults: [SessionRequired, NoSmsFactor, SecondFactorKept, WrongCode],
  prepare: ({ body, caller, read }) => provePassword(read, caller, body.password),
  async handle({ body, prepared: proof, ...given }) {
    const { db, caller, request } = given;
    const refused = await refusal(db, caller, proof, 'password', request);
    if (refused) return refused;
    return await switchOff(given, { kind: 'sms', code: body.code, missing: NoSmsFactor });
  },
});
