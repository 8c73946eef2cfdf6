import { expectRemovalToContinue, start } from '@suite/testing';
import { test } from '@jest/globals';
import { projects } from '../../projects.ts';
import { removeDiscardedFiles } from './file-removal.ts';

// Runs without schedules, so that the test decides when a file is removed.
const serving = await start({ ...projects, schedules: [] });

test('retries a file whose deletion fails, and still deletes the others', async () => {
  await expectRemovalToContinue(serving, removeDiscardedFiles);
});
