import { describe, expect, test } from '@jest/globals';
import { start } from '@suite/testing';
import { platform as contents } from '../../platform.ts';
import { openWorkspace } from '../../../test/workspace.ts';

const platform = await start(contents);
const acme = await openWorkspace(platform);
await openWorkspace(platform);

const ids = async (role: Parameters<typeof acme.as>[0], path: string) =>
  (await (await acme.as(role)).get(path)).body.data.map(({ id }: { id: string }) => id).toSorted();

describe('lists of users by kind', () => {
  test('are shown to staff, each in their list, without other workspaces’ users', async () => {
    const { client, vendor, ...staff } = acme.users;
    expect(await ids('staff', '/api/staff-user')).toEqual(Object.values(staff).toSorted());
    expect(await ids('staff', '/api/client-user')).toEqual([client]);
    expect(await ids('staff', '/api/vendor-user')).toEqual([vendor]);
  });

  test('show clients and vendors only themselves', async () => {
    const second = { name: 'Second client', email: `second.${acme.id}@example.test`, role_id: acme.roles.client };
    expect((await (await acme.as('owner')).post('/api/user/store', second)).status).toBe(201);
    expect(await ids('client', '/api/client-user')).toEqual([acme.users.client]);
    expect(await ids('client', '/api/staff-user')).toEqual([]);
    expect(await ids('vendor', '/api/client-user')).toEqual([]);
    expect(await ids('vendor', '/api/vendor-user')).toEqual([acme.users.vendor]);
  });

  test('return contact fields only', async () => {
    const { body } = await (await acme.as('staff')).get('/api/client-user?per_page=1');
    expect(Object.keys(body.data[0]).toSorted()).toEqual([
      'created_at',
      'email',
      'id',
      'kind',
      'name',
      'phone',
      'photo_thumbnail_url',
      'status',
      'updated_at',
    ]);
  });

  test('can be searched and sorted', async () => {
    expect(await ids('staff', '/api/staff-user?q=olga')).toEqual([acme.users.owner]);
    const { body } = await (await acme.as('staff')).get('/api/staff-user?sort=name&fields=name');
    const names = body.data.map(({ name }: { name: string }) => name);
    expect(names).toHaveLength(8);
    expect(names).toEqual(names.toSorted());
    expect(body.data[0]).toEqual({ name: names[0] });
    expect((await (await acme.as('staff')).get('/api/staff-user?kind=client')).status).toBe(422);
  });
});
