import { describe, expect, test } from '@jest/globals';
import { clusterOptions } from './options.ts';

describe('the options of a cluster', () => {
  test('default to one round for each failure', () => {
    expect(clusterOptions([])).toEqual({
      data: '/var/tmp/suite-cluster',
      mirror: undefined,
      rounds: undefined,
      only: undefined,
      writes_results: true,
    });
  });

  test('are read from the arguments', () => {
    const words = ['--rounds', '20', '--only', 'postgres,crm', '--data', '/tmp/a', '--no-results'];
    expect(clusterOptions(words)).toMatchObject({
      rounds: 20,
      only: ['postgres', 'crm'],
      data: '/tmp/a',
      writes_results: false,
    });
  });

  test.each([
    ['--rounds', '0', '--rounds must be a number from 1 to 1000, not "0".'],
    ['--rounds', 'many', '--rounds must be a number from 1 to 1000, not "many".'],
    ['--mirror', 'deb', '--mirror must be an address such as http://deb.example.com/debian, not "deb".'],
  ])('reject %s %s with one sentence', (name, value, sentence) => {
    expect(() => clusterOptions([name, value])).toThrow(sentence);
  });
});
