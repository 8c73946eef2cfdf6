/**
 * Second factors: a code of an authenticator app or by text message at each sign-in. Recovery codes replace a lost
 * factor. A workspace can require a second factor.
 */
import { ok, anyUser } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { sessionsOnly, SessionRequired } from '../sessions/session.ts';
import { checkOwnPassword, passwordFault } from '../sessions/own-password.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  factorsOf,
  factorHolderOf,
  NoSecondFactor,
  codeFault,
  hasSecondFactor,
  renewRecoveryCodes,
  SecondFactorKept,
  readSecondFactor,
  SecondFactorExists,
  disableFactor,
  useCode,
  WrongCode,
} from './second-factor.ts';
import {
  Confirmation,
  Enabling,
  NewSecret,
  PasswordAndCode,
  RecoveryCodes,
  SecondFactor,
} from './second-factor.schema.ts';

const ADDITION = 'A stolen password alone must not open an account.';

export const show = query('GET /api/second-factor', {
  summary: 'Get your second factor',
  description:
    'Returns your active factors and the number of unused recovery codes. `required` shows whether the workspace requires a second factor. Never returns secrets or codes.',
  addition: ADDITION,
  access: anyUser,
  reply: ok(SecondFactor),
  handle: ({ db, caller }) => readSecondFactor(db, caller),
});

export const enable = command('POST /api/second-factor/enable', {
  summary: 'Set up a second factor',
  description:
    'Returns the secret of an authenticator app, once. Show `otpauth_url` as a QR code. The app is active once you confirm a code with `POST /api/second-factor/confirm`. Requires a code sent to your phone or a recovery code if text-message codes are active.',
  addition: ADDITION,
  access: sessionsOnly,
  body: Enabling,
  reply: ok(NewSecret),
  faults: [SessionRequired, SecondFactorExists, WrongCode],
  prepare: ({ body, caller, read }) => checkOwnPassword(read, caller, body.password),
  async handle({ body, prepared: proof, ...context }) {
    const { db, caller, request } = context;
    const fault = await passwordFault(db, caller, proof, 'password', request);
    if (fault) return fault;
    const factors = await factorsOf(db, caller.user_id);
    if (factors.includes('app')) throw SecondFactorExists();
    return (await codeFault(factorHolderOf(context), body.code)) ?? (await beginSecondFactor(factorHolderOf(context)));
  },
});

export const confirm = command('POST /api/second-factor/confirm', {
  summary: 'Confirm a second factor',
  description:
    'Activates the authenticator app or phone number that you have set up. Requires a current code. Returns ten single-use recovery codes, once, with the first factor only. Each later sign-in requires a code.',
  addition: ADDITION,
  access: sessionsOnly,
  body: Confirmation,
  reply: ok(RecoveryCodes),
  faults: [SessionRequired, WrongCode],
  async handle({ body, ...context }) {
    const recovery_codes = await confirmSecondFactor(factorHolderOf(context), body.code);
    return recovery_codes ? { recovery_codes } : WrongCode();
  },
});

export const disable = command('POST /api/second-factor/disable', {
  summary: 'Disable the authenticator app',
  description:
    'Disables the authenticator app. Requires your password and a code. Returns `second_factor_kept` if the workspace requires a second factor and you have no other.',
  addition: ADDITION,
  access: sessionsOnly,
  body: PasswordAndCode,
  reply: ok(SecondFactor),
  faults: [SessionRequired, NoSecondFactor, SecondFactorKept, WrongCode],
  prepare: ({ body, caller, read }) => checkOwnPassword(read, caller, body.password),
  async handle({ body, prepared: proof, ...context }) {
    const { db, caller, request } = context;
    const fault = await passwordFault(db, caller, proof, 'password', request);
    if (fault) return fault;
    return await disableFactor(context, { kind: 'app', code: body.code, missing: NoSecondFactor });
  },
});

export const renewCodes = command('POST /api/second-factor/recovery-codes', {
  summary: 'Create new recovery codes',
  description:
    'Returns ten new recovery codes, once, and invalidates the previous ones. Requires your password and a code. Returns `no_second_factor` if you have none.',
  addition: ADDITION,
  access: sessionsOnly,
  body: PasswordAndCode,
  reply: ok(RecoveryCodes),
  faults: [SessionRequired, NoSecondFactor, WrongCode],
  prepare: ({ body, caller, read }) => checkOwnPassword(read, caller, body.password),
  async handle({ body, prepared: proof, ...context }) {
    const { db, caller, request } = context;
    const fault = await passwordFault(db, caller, proof, 'password', request);
    if (fault) return fault;
    if (!(await hasSecondFactor(db, caller.user_id))) throw NoSecondFactor();
    if (!(await useCode(factorHolderOf(context), body.code))) return WrongCode();
    return { recovery_codes: await renewRecoveryCodes(factorHolderOf(context)) };
  },
});
