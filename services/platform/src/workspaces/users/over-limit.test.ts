import { expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { invitation, openWorkspace } from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';

const platform = await start({ ...contents, schedules: [] });

test('a workspace over its user limit can change and disable users, but not add any', async () => {
  const acme = await openWorkspace(platform, 'starter');
  const owner = await acme.as('owner');
  const update = (id: string, body: object) => owner.post(`/api/user/update/${id}`, body);
  const { staff, client } = acme.users;
  const refused = { status: 409, body: { code: 'plan_limit', details: { limit: 'users', allowed: 3 } } };
  expect(await update(staff, { role_id: acme.roles.sales })).toMatchObject({ status: 200 });
  expect(await update(staff, { status: 'active' })).toMatchObject({ status: 200 });
  expect(await update(staff, { status: 'disabled' })).toMatchObject({ status: 200 });
  expect(await update(staff, { status: 'active' })).toMatchObject(refused);
  expect(await update(client, { role_id: acme.roles.staff })).toMatchObject(refused);
  expect(await update(client, { status: 'disabled' })).toMatchObject({ status: 200 });
  expect(await update(client, { status: 'active' })).toMatchObject({ status: 200 });
  expect(await owner.post('/api/user/store', invitation(acme))).toMatchObject(refused);
});
