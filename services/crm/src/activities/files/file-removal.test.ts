import { expectRemovalToContinue, start } from '@suite/testing';
import { describe, test } from '@jest/globals';
import { crm } from '../../crm.ts';
import { removeDiscardedFiles } from './file-removal.ts';

// Runs without schedules, so that the test decides when a file is removed.
const serving = await start({ ...crm, schedules: [] });

describe('the removal of discarded files', () => {
  test('retries a file whose deletion fails, and still deletes the others', async () => {
    await expectRemovalToContinue(serving, removeDiscardedFiles);
  });
});
