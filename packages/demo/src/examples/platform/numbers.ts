/**
 * Factories for phone numbers that receive codes, and their example calls. `$reachable` is the ID of a shared record,
 * and `$reachable!` the ID of a record created for the call.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { ExampleRecorder, ExampleCall, ExampleFactory, Row } from '../recorder/recorder.ts';
import { gateway, NUMBER } from './integrations.ts';
import { createChallengedUser, hire, newcomer, PASSWORD, tokenOf } from './people.ts';

const connect = (recorder: ExampleRecorder) => recorder.call('smsGateway.connect', { body: gateway(recorder) });

const TRIES = 300;
const WAIT_MS = 100;

let numbers_given = 0;
/** Returns a unique number: messages to other numbers are still in transit. */
function ownNumber(): string {
  numbers_given += 1;
  return `+49171${1_000_000 + numbers_given}`;
}

/** Waits for the text message with a code. */
async function codeTo(phone: string, { providers }: ExampleRecorder): Promise<string> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const [, code] = /^(\d{6}) is your code/.exec(providers.lastMessage(phone)['text'] ?? '') ?? [];
    if (code) return code;
    await pause(WAIT_MS);
  }
  throw new Error('No code was sent.');
}

/** Creates a user who has entered a phone number and received a code. */
const createPhoneVerifier =
  (as: string): ExampleFactory =>
  async (recorder, serial) => {
    await connect(recorder);
    const person = await hire('staff', as)(recorder, serial);
    const phone = ownNumber();
    await recorder.call('smsFactor.enable', { as: tokenOf(person), body: { password: PASSWORD, phone } });
    return { ...person, code: await codeTo(phone, recorder) };
  };

/** Creates a user whose phone number is a second factor, with a recovery code. */
const createUserWithPhone =
  (as: string): ExampleFactory =>
  async (recorder, serial) => {
    const person: Row = await createPhoneVerifier(as)(recorder, serial);
    const { recovery_codes } = await recorder.call('secondFactor.confirm', {
      as: tokenOf(person),
      body: { code: person['code'] },
    });
    return { ...person, code: (recovery_codes as string[])[0] };
  };

/** Factories for the examples of phone numbers. */
export const numbers: Record<string, ExampleFactory> = {
  textable: async (recorder, serial) => {
    await connect(recorder);
    return await hire('staff', 'textable')(recorder, serial);
  },
  proving: createPhoneVerifier('proving'),
  reachable: createUserWithPhone('reachable'),
  texted: async (recorder, serial) =>
    createChallengedUser(recorder, await createUserWithPhone('texted')(recorder, serial)),
  textable_newcomer: async (recorder, serial) => {
    await connect(recorder);
    return await newcomer('textable.newcomer')(recorder, serial);
  },
};

/** Example calls for phone numbers. */
export const numberCalls: Record<string, ExampleCall> = {
  'smsFactor.enable': { as: '$textable!.access_token', body: { password: PASSWORD, phone: NUMBER } },
  'smsFactor.send': { as: '$proving!.access_token' },
  'smsFactor.disable': { as: '$reachable!.access_token', body: { password: PASSWORD, code: '$reachable!.code' } },
  'secondFactorLogin.send': { as: '', body: { challenge: '$texted!.challenge' } },
  'secondFactorLogin.enrollSms': { as: '', body: { challenge: '$textable_newcomer!.challenge', phone: NUMBER } },
};
