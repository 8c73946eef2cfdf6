import { expectRemovalToGoOn, start } from '@suite/testing';
import { test } from '@jest/globals';
import { inventory } from '../inventory.ts';
import { removeDiscardedPictures } from './picture.ts';

// Runs without schedules, so that the test decides when a file is removed.
const serving = await start({ ...inventory, schedules: [] });

test('retries a file whose deletion fails, and still deletes the others', async () => {
  await expectRemovalToGoOn(serving, removeDiscardedPictures);
});
