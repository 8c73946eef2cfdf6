import { expectRemovalToGoOn, start } from '@suite/testing';
import { test } from '@jest/globals';
import { hr } from '../hr.ts';
import { removeDiscardedFiles } from './remove-discarded-files.ts';

// Without its schedules, so that the test says when a file is removed.
const serving = await start({ ...hr, schedules: [] });

test('a file that cannot be removed keeps no other, and goes when it can be', async () => {
  await expectRemovalToGoOn(serving, removeDiscardedFiles);
});
