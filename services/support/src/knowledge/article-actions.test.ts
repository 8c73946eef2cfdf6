import { expect, test } from '@jest/globals';
import { openSupport } from '../../test/fixture.ts';

const { office: openOffice } = await openSupport();
const path = '/api/support-ticket';

test('an article has the same allowed actions in lists, and accepts them as its status', async () => {
  const { owner } = await openOffice();
  const draft = { title: 'How to pay', body: 'By transfer.' };
  const { id } = (await owner.post(`${path}/knowledge/store`, draft)).body.data;
  const update = (status: string) => owner.post(`${path}/knowledge/update/${id}`, { status });
  const actions = async () => (await owner.get(`${path}/knowledges?id=${id}`)).body.data[0].allowed_actions;
  expect(await actions()).toEqual(['update', 'publish', 'delete']);
  expect((await update('publish')).body.data).toMatchObject({ status: 'published' });
  expect(await actions()).toEqual((await owner.get(`${path}/knowledge/show/${id}`)).body.data.allowed_actions);
  expect((await update('archive')).body.data).toMatchObject({ status: 'archived' });
  expect(await update('vote')).toMatchObject({ status: 422 });
});
