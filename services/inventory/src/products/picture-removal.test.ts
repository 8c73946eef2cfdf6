import { expectRemovalToContinue, start } from '@suite/testing';
import { describe, test } from '@jest/globals';
import { inventory } from '../inventory.ts';
import { removeDiscardedImages } from './picture.ts';

// Runs without schedules, so that the test decides when a file is removed.
const serving = await start({ ...inventory, schedules: [] });

describe('the removal of discarded images', () => {
  test('retries a file whose deletion fails, and still deletes the others', async () => {
    await expectRemovalToContinue(serving, removeDiscardedImages);
  });
});
