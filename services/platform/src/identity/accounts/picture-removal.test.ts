import { expectRemovalToContinue, start } from '@suite/testing';
import { test } from '@jest/globals';
import { platform } from '../../platform.ts';
import { discardFiles } from './picture.ts';

// Runs without schedules, so that the test decides when a file is removed.
const serving = await start({ ...platform, schedules: [] });

test('retries a file whose deletion fails, and still deletes the others', async () => {
  await expectRemovalToContinue(serving, discardFiles);
});
