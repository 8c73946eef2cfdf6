import { describe, expect, test } from '@jest/globals';
import { setUpFixture } from '@suite/testing';
import { openHr } from '../../../test/fixture.ts';

const { company } = await openHr();
const acme = setUpFixture(() => company());

const rows = async (path: string, by = acme.owner) => (await by.get(`/api/${path}`)).body.data;
const actionsIn = async (path: string, by = acme.owner): Promise<string[][]> =>
  (await rows(path, by)).map(({ allowed_actions }: { allowed_actions: string[] }) => allowed_actions);

const KINDS = [
  ['branches', 'branch'],
  ['departments', 'department'],
  ['designations', 'designation'],
  ['document-types', 'document_type'],
  ['leave-types', 'leave_type'],
] as const;

describe('the allowed actions of setup records', () => {
  test.each(KINDS)('follow from the permissions in the list of %s', async (path, noun) => {
    expect(new Set((await actionsIn(path)).map(String))).toEqual(new Set(['update,delete']));
    const viewer = acme.member({ can: [`${noun}.view`] });
    expect((await actionsIn(path, viewer)).every((actions) => actions.length === 0)).toBe(true);
    const editor = acme.member({ can: [`${noun}.view`, `${noun}.update`] });
    const [first] = await rows(`${path}?fields=id,allowed_actions&per_page=1`, editor);
    expect(first).toEqual({ id: expect.any(String), allowed_actions: ['update'] });
  });

  test('are the same in lists and replies of commands', async () => {
    const { body } = await acme.owner.post('/api/branch/create', { name: 'Harbour' });
    expect(body.data.allowed_actions).toEqual(['update', 'delete']);
    const editor = acme.member({ can: ['branch.view', 'branch.update'] });
    const changed = await editor.post(`/api/branch/update/${body.data.id}`, { name: 'Port' });
    expect(changed.body.data.allowed_actions).toEqual(['update']);
  });

  test('exclude the deletion of the default shift and the default calendar', async () => {
    const shift = { name: 'Night', start: '22:00', end: '06:00', break_minutes: 30, days: [1, 2] };
    await acme.owner.post('/api/shift/create', shift);
    await acme.owner.post('/api/holiday-calendar/create', { name: 'Harbour' });
    for (const path of ['shifts', 'holiday-calendars']) {
      expect(await actionsIn(`${path}?is_default=true`)).toEqual([['update']]);
      expect(await actionsIn(`${path}?is_default=false`)).toEqual([['update', 'delete']]);
    }
  });

  test('follow from the permission to change the settings', async () => {
    expect((await rows('hrm-settings')).allowed_actions).toEqual(['update']);
    expect((await rows('hrm-settings', acme.member({ can: ['hr_setting.view'] }))).allowed_actions).toEqual([]);
  });
});
