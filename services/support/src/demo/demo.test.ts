import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Database } from '@suite/chassis';
import { openSupport } from '../../test/fixture.ts';
import type { Db } from '../operations.ts';
import { seedDemo } from './seed.ts';

const { serving, violations } = await openSupport();

test('the demo has frequent questions and articles, and filling it again changes nothing', async () => {
  const [workspace, user_id] = [randomUUID(), randomUUID()];
  const user = { id: user_id, role: 'owner', email: 'kim@example.com', name: 'Kim Example', kind: 'owner' as const };
  const fill = () =>
    seedDemo(serving.database as unknown as Database<Db>, [
      { id: workspace, name: 'Northwind', currency: 'EUR', users: [user] },
    ]);
  await fill();
  await fill();
  const owner = serving.member({
    workspace,
    user_id,
    kind: 'owner',
    can: ['article.view', 'article.update', 'faq.view'],
    modules: ['support'],
  });
  expect((await owner.get('/api/support-ticket/knowledges')).body.meta.total).toBe(30);
  expect((await owner.get('/api/support-ticket/knowledges?q=troubleshooting&status=draft')).body.meta.total).toBe(10);
  expect((await owner.get('/api/support-ticket/faqs')).body.meta.total).toBe(5);
  expect(await violations({ workspace } as Parameters<typeof violations>[0])).toEqual([]);
});
