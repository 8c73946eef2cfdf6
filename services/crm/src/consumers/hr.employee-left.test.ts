import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher } from '@suite/testing';
import { openCrm, type Shop } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openCrm();
const { announce, say, heard } = await eventPublisher(serving);
let shop: Shop;
let owner: string;
let leaver: string;
beforeEach(async () => {
  shop = await openShop();
  owner = shop.hire({ name: 'Olga', kind: 'owner' });
  leaver = shop.hire({ name: 'Lee' });
  const introduced = { user_id: owner, name: 'Olga', email: '', kind: 'owner', status: 'active', phone: '' };
  await say(shop.workspace, 'platform.user.created', introduced);
});

const employeeLeft = (user_id = leaver) => ({
  employee_id: randomUUID(),
  user_id,
  last_day: '2026-06-30',
  cause: 'resigned',
});
const lead = async (): Promise<string> =>
  (await shop.owner.post('/api/lead/create', { name: 'Ada', owner_id: leaver })).body.data.id;
const ownerOf = async (id: string) => (await shop.owner.get(`/api/lead/show/${id}`)).body.data.owner_id;

describe('the consumer of departures', () => {
  test('passes leads of a former employee to an owner once, and keeps their name', async () => {
    const id = await lead();
    const event = await announce(shop.workspace, 'hr.employee.left', employeeLeft());
    await heard(event);
    expect(await ownerOf(id)).toBe(owner);
    expect(await serving.sql`SELECT name, status FROM users WHERE id = ${leaver}`).toEqual([
      { name: 'Lee', status: 'active' },
    ]);
    // Restores the owner manually, to check that the second delivery changes nothing.
    await serving.sql`UPDATE leads SET owner_id = ${leaver} WHERE id = ${id}`;
    await announce(shop.workspace, 'hr.employee.left', employeeLeft(), { id: event, times: 2 });
    await say(shop.workspace, 'hr.employee.left', employeeLeft(''));
    expect(await ownerOf(id)).toBe(leaver);
  });

  test('ignores an employee without a login, and affects no other workspace', async () => {
    const id = await lead();
    await say(shop.workspace, 'hr.employee.left', employeeLeft(''));
    await say((await openShop()).workspace, 'hr.employee.left', employeeLeft());
    expect(await ownerOf(id)).toBe(leaver);
  });
});
