import { expectRemovalToContinue, start } from '@suite/testing';
import { test } from '@jest/globals';
import { hr } from '../../hr.ts';
import { removeDiscardedFiles } from './remove-discarded-files.ts';

// Runs without schedules, so that the test decides when a file is removed.
const serving = await start({ ...hr, schedules: [] });

test('retries a file whose deletion fails, and still deletes the others', async () => {
  await expectRemovalToContinue(serving, removeDiscardedFiles);
});
