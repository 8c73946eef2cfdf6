import { expectRemovalToGoOn, start } from '@suite/testing';
import { test } from '@jest/globals';
import { support } from '../support.ts';
import { removeDiscardedFiles } from './file-removal.ts';

// Without its schedules, so that the test says when a file is removed.
const serving = await start({ ...support, schedules: [] });

test('a file that cannot be removed keeps no other, and goes when it can be', async () => {
  await expectRemovalToGoOn(serving, removeDiscardedFiles);
});
