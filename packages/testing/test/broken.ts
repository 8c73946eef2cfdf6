import { expect, test } from '@jest/globals';

test('is declared', () => expect(true).toBe(true));
throw new Error('This file cannot be loaded.');
