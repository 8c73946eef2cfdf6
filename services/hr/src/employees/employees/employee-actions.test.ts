import { describe, expect, test } from '@jest/globals';
import { openPeople } from '../../../test/people.ts';

const { platform, acme, employed, update, show } = await openPeople();

const listEmployees = async (query = '', by = acme.owner) => (await by.get(`/api/employees${query}`)).body.data;

describe('the allowed actions of employees', () => {
  test('are the same in lists, shows and replies of commands', async () => {
    const { id, allowed_actions } = await employed();
    expect(allowed_actions).toEqual(['update', 'suspend', 'begin_long_leave', 'give_notice', 'delete']);
    expect(await listEmployees()).toMatchObject([{ id, allowed_actions }]);
    expect(await listEmployees('?as_of=2026-06-01&fields=id,allowed_actions')).toEqual([{ id, allowed_actions }]);
    expect((await show(id)).allowed_actions).toEqual(allowed_actions);
    const hrUser = acme.member({ can: ['employee.view'] });
    expect(await listEmployees('', hrUser)).toMatchObject([{ allowed_actions: [] }]);
  });

  test('are empty for the caller', async () => {
    const { id } = await employed();
    const user_id = platform.hire(acme.workspace);
    await update(id, { user: { user_id } });
    const self = acme.member({ user_id, can: ['employee.view', 'employee.update'] });
    expect(await listEmployees('', self)).toMatchObject([{ id, allowed_actions: [] }]);
  });
});
