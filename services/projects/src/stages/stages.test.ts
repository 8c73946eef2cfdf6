import { expect, test } from '@jest/globals';
import { openProjects } from '../../test/fixture.ts';

const { office, violations } = await openProjects();

test('a workspace begins with a board for tasks and one for bugs', async () => {
  const opened = await office();
  const { owner } = opened;
  const namesOf = async (kind: string) => {
    const { body } = await owner.get(`/api/project/${kind}-stages?project_id[null]=true&sort=order`);
    return body.data.map(({ name, group }: { name: string; group: string }) => `${name} (${group})`);
  };
  expect(await namesOf('task')).toEqual([
    'Backlog (backlog)',
    'To do (unstarted)',
    'In progress (started)',
    'In review (started)',
    'Done (completed)',
    'Cancelled (cancelled)',
  ]);
  expect(await namesOf('bug')).toHaveLength(6);
  expect(await violations(opened)).toEqual([]);
});
