import { expect, test } from '@jest/globals';

test('sees no environment variables of other files', () => expect(process.env['SUITE_OUTCOME']).toBe(undefined));
