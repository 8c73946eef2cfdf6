import { expectRemovalToGoOn, start } from '@suite/testing';
import { test } from '@jest/globals';
import { inventory } from '../inventory.ts';
import { removeDiscardedPictures } from './picture.ts';

// Without its schedules, so that the test says when a file is removed.
const serving = await start({ ...inventory, schedules: [] });

test('a file that cannot be removed keeps no other, and goes when it can be', async () => {
  await expectRemovalToGoOn(serving, removeDiscardedPictures);
});
