import { expect, test } from '@jest/globals';
import { startedSuite } from '../suite/started.ts';
import { openWorkspace } from '../suite/workspace.ts';

const suite = await startedSuite();
test('x', async () => {
  const acme = await openWorkspace(suite);
  console.log((await acme.owner.get('/api/user')).body, (await acme.owner.get('/api/lead/pipelines')).body);
  const m = await acme.hire('sales');
  console.log(m.user, (await m.get('/api/pipelines')).body);
  expect(1).toBe(1);
});
