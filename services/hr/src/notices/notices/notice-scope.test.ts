import { beforeEach, describe, expect, test } from '@jest/globals';
import { openOffices } from '../../../test/notices.ts';

const { office } = await openOffices();
const forbiddenResponse = (noun: string) => ({
  status: 403,
  body: { code: 'forbidden', details: { noun, record_scope: 'all' } },
});
let acme: Awaited<ReturnType<typeof office>>;
beforeEach(async () => {
  acme = await office();
});

/** Creates an employee with all permissions for a kind of record and own scope. */
const editor = async (noun: string) => {
  const can = ['view', 'create', 'update', 'delete'].map((verb) => `${noun}.${verb}`);
  const { user, id } = await acme.hire('Editor');
  return { id, member: acme.member({ user_id: user.caller.user_id, can, record_scopes: { [noun]: 'own' } }) };
};

describe('an editor with own scope', () => {
  test('can read announcements of others, and change only their own', async () => {
    const { member } = await editor('announcement');
    const news = { title: 'Party', body: 'On the roof.' };
    const id = await acme.publish('announcement', news);
    expect(await member.get(`/api/announcement/show/${id}`)).toMatchObject({
      status: 200,
      body: { data: { allowed_actions: [] } },
    });
    const replies = [
      await member.post(`/api/announcement/update/${id}`, { title: 'Mine' }),
      await member.post(`/api/announcement/update-status/${id}`, { action: 'archive' }),
      await member.delete(`/api/announcement/delete/${id}`),
    ];
    for (const reply of replies) expect(reply).toMatchObject(forbiddenResponse('announcement'));
    const own = (await member.post('/api/announcement/create', news)).body.data;
    expect(own.allowed_actions).toEqual(['update', 'publish', 'delete']);
    expect(await member.post(`/api/announcement/update/${own.id}`, { title: 'Mine' })).toMatchObject({ status: 200 });
  });

  test('can read public awards of others, but not change them', async () => {
    const { member } = await editor('award');
    const { id: employee_id } = await acme.hire('Ada');
    const award = { employee_id, type: 'month', date: '2026-06-01', title: 'Best idea', public: true };
    const { id } = (await acme.owner.post('/api/award/create', award)).body.data;
    expect(await member.get(`/api/award/show/${id}`)).toMatchObject({ status: 200 });
    const replies = [
      await member.post(`/api/award/update/${id}`, { title: 'Mine' }),
      await member.delete(`/api/award/delete/${id}`),
    ];
    for (const reply of replies) expect(reply).toMatchObject(forbiddenResponse('award'));
  });
});
