import { expectRemovalToContinue, start } from '@suite/testing';
import { test } from '@jest/globals';
import { support } from '../../support.ts';
import { removeDiscardedFiles } from './file-removal.ts';

// Runs without schedules, so that the test decides when a file is removed.
const serving = await start({ ...support, schedules: [] });

test('retries a file whose deletion fails, and still deletes the others', async () => {
  await expectRemovalToContinue(serving, removeDiscardedFiles);
});
