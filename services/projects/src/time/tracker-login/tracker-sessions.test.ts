import { expect, test } from '@jest/globals';
import { operationsOf } from '@suite/chassis/declarations';
import { openProjects } from '../../../test/fixture.ts';
import { workedProject } from '../../../test/worked-project.ts';
import { projects } from '../../projects.ts';

const { office } = await openProjects();

/** Operations that a tracker needs. */
const TRACKER_OPERATIONS = [
  'trackers.start',
  'trackers.stop',
  'trackerLogin.home',
  'timeEntries.list',
  'timeEntries.exportAll',
  'timeEntries.update',
  'timeEntries.remove',
  'timesheets.list',
  'timesheets.submit',
];

test('limits a tracker session to the operations that trackers need', async () => {
  const opened = await office();
  const { id } = await workedProject(opened);
  const tracker = opened.member({ ...opened.owner.caller, can: [], purpose: 'tracker' });
  const admitted: string[] = [];
  for (const [name, { method, path, access }] of operationsOf(projects)) {
    if (access.kind === 'public') continue;
    const address = path.replaceAll(/\{\w+\}/g, id);
    const { status, body } = await tracker.send(
      method.toUpperCase(),
      address,
      method.toUpperCase() === 'GET' ? undefined : '{}',
    );
    if (status !== 403 || body?.code !== 'tracker_session') admitted.push(name);
  }
  expect(admitted.toSorted()).toEqual(TRACKER_OPERATIONS.toSorted());
});
