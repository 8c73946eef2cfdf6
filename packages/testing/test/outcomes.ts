/** Tests of every outcome, which the test of the test runner runs. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';

jest.setTimeout(200);
let set = false;
beforeAll(() => {
  set = true;
  process.env['SUITE_OUTCOME'] = 'left behind';
});
afterEach(() => void jest.useRealTimers());

describe('an outcome', () => {
  test('passes', () => expect(set).toBe(true));
  test('fails', () => expect('this').toBe('that'));
  test('never ends', async () => {
    await pause(60_000, undefined, { ref: false });
    expect(set).toBe(true);
  });
  test('forgets an assertion', () => {
    expect.assertions(2);
    expect(set).toBe(true);
  });
  test('rejects behind its back', async () => {
    void Promise.reject(new Error('An unhandled rejection.'));
    await pause(20);
    expect(set).toBe(true);
  });
  test.each([1, 2])('counts %d', (number) => expect(number).toBeGreaterThan(0));
  test('sets the clock', () => {
    jest.useFakeTimers({ now: new Date('2020-01-01T00:00:00Z') });
    expect(new Date().getUTCFullYear()).toBe(2020);
  });
});

describe('a hook that fails', () => {
  afterAll(() => {
    throw new Error('The end went wrong.');
  });
  test('belongs to the file', () => expect(new Date().getUTCFullYear()).not.toBe(2020));
});
