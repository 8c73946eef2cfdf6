import { expect, test } from '@jest/globals';
import { openSupport } from '../../test/fixture.ts';

const { office } = await openSupport();

test('a workspace begins with four categories', async () => {
  const { owner } = await office();
  const { body } = await owner.get('/api/support-ticket/categories?sort=created_at');
  expect(body.data.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    'Billing',
    'Feature request',
    'General',
    'Technical',
  ]);
});
