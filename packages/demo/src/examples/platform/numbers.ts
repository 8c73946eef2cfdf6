/** Factories for phone numbers that receive codes, and their example calls. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, ExampleCall, Recipe, Row } from '../bench/bench.ts';
import { gateway, NUMBER } from './integrations.ts';
import { challenged, hire, newcomer, PASSWORD, tokenOf } from './people.ts';

const connect = (bench: Bench) => bench.call('smsGateway.connect', { body: gateway(bench) });

const TRIES = 300;
const WAIT_MS = 100;

let numbers_given = 0;
/** Returns a unique number: messages to other numbers are still in transit. */
function ownNumber(): string {
  numbers_given += 1;
  return `+49171${1_000_000 + numbers_given}`;
}

/** Waits for the text message with a code. */
async function codeTo(phone: string, { providers }: Bench): Promise<string> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const [, code] = /^(\d{6}) is your code/.exec(providers.lastMessage(phone)['text'] ?? '') ?? [];
    if (code) return code;
    await pause(WAIT_MS);
  }
  throw new Error('No code was sent.');
}

/** Creates a user who has entered a phone number and received a code. */
const proving =
  (as: string): Recipe =>
  async (bench, serial) => {
    await connect(bench);
    const person = await hire('staff', as)(bench, serial);
    const phone = ownNumber();
    await bench.call('smsFactor.enable', { as: tokenOf(person), body: { password: PASSWORD, phone } });
    return { ...person, code: await codeTo(phone, bench) };
  };

/** Creates a user whose phone number is a second factor, with a recovery code. */
const reachable =
  (as: string): Recipe =>
  async (bench, serial) => {
    const person: Row = await proving(as)(bench, serial);
    const { recovery_codes } = await bench.call('secondFactor.confirm', {
      as: tokenOf(person),
      body: { code: person['code'] },
    });
    return { ...person, code: (recovery_codes as string[])[0] };
  };

/** Factories for the examples of phone numbers. */
export const numbers: Record<string, Recipe> = {
  textable: async (bench, serial) => {
    await connect(bench);
    return await hire('staff', 'textable')(bench, serial);
  },
  proving: proving('proving'),
  reachable: reachable('reachable'),
  texted: async (bench, serial) => challenged(bench, await reachable('texted')(bench, serial)),
  textable_newcomer: async (bench, serial) => {
    await connect(bench);
    return await newcomer('textable.newcomer')(bench, serial);
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
