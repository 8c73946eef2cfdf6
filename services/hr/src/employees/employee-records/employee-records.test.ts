import { describe, expect, test } from '@jest/globals';
import { type Member, type CallerOptions, freezeClock } from '@suite/testing';
import { everything, openHr } from '../../../test/fixture.ts';
import { endNotices } from '../../records/exit-notices/exit-notice.ts';
import { applyEffectiveDates } from '../../employment/employment/effective-dates.ts';
import { NOON } from '../../../test/records.ts';
import { applyDueChanges } from '../../records/due-changes/due-changes.ts';

const { serving, platform, company } = await openHr();
const FUTURE_DAY = '2026-08-01';
const NOUNS = [
  'award',
  'promotion',
  'employee_transfer',
  'resignation',
  'termination',
  'warning',
  'complaint',
] as const;
type RecordNoun = (typeof NOUNS)[number];
const pathOf = (noun: RecordNoun) => noun.replace('_', '-');

/** Creates employees in a reporting line, and one pending record of each kind about the employee in the middle. */
async function createRecords() {
  const acme = await company();
  const [leader, self, mate] = [1, 2, 3].map(() => platform.hire(acme.workspace)) as [string, string, string];
  const manager_id = await acme.employ({ name: 'Leader', user_id: leader });
  const employee_id = await acme.employ({ name: 'Self', user_id: self, manager_id });
  const author = await acme.employ({ name: 'Mate', user_id: mate });
  const { department_id, branch_id } = (await acme.owner.get(`/api/employee/show/${employee_id}`)).body.data;
  const createRecord = async (path: string, body: object): Promise<string> => {
    const { status, body: created } = await acme.owner.post(`/api/${path}/create`, body);
    expect([path, status]).toEqual([path, 201]);
    return created.data.id;
  };
  const to_designation_id = await createRecord('designation', { name: 'Head', department_id });
  const to_branch_id = await createRecord('branch', { name: 'Harbour' });
  expect(branch_id).not.toBe(to_branch_id);
  const about = { employee_id, reason: 'So it is' };
  const ids: Record<RecordNoun, string> = {
    award: await createRecord('award', { employee_id, type: 'month', date: '2026-06-01', title: 'Idea' }),
    promotion: await createRecord('promotion', { ...about, to_designation_id, effective_date: '2026-03-01' }),
    employee_transfer: await createRecord('employee-transfer', {
      ...about,
      to_branch_id,
      effective_date: '2026-03-01',
    }),
    resignation: await createRecord('resignation', { ...about, notice_date: '2026-06-01', last_day: '2030-06-30' }),
    termination: await createRecord('termination', {
      ...about,
      employee_id: author,
      type: 'dismissal',
      date: '2030-06-30',
    }),
    warning: await createRecord('warning', {
      employee_id,
      subject: 'Late',
      severity: 'verbal',
      date: '2026-06-01',
      text: 'Late.',
    }),
    complaint: await createRecord('complaint', {
      from_employee_id: author,
      against_employee_id: employee_id,
      subject: 'Loud',
      date: '2026-06-01',
      description: 'Loud.',
    }),
  };
  return { acme, leader, self, mate, ids };
}

freezeClock(NOON);
const { acme, leader, self, mate, ids } = await createRecords();
const scopeOfAll = (scoped: 'own' | 'team') => Object.fromEntries(NOUNS.map((noun) => [noun, scoped]));
const views = NOUNS.map((noun) => `${noun}.view`);
const allExcept = (...nouns: RecordNoun[]) => NOUNS.filter((noun) => !nouns.includes(noun));

/**
 * Callers with their permissions and the kinds of records they see. All records are about one employee, except a
 * termination.
 */
const MATRIX: [string, CallerOptions, readonly RecordNoun[]][] = [
  ['the person, without a right', { user_id: self, can: [] }, ['award', 'resignation', 'warning']],
  [
    'the person, with the scope own',
    { user_id: self, can: views, record_scopes: scopeOfAll('own') },
    ['award', 'resignation', 'warning'],
  ],
  ['the person, with all rights', { user_id: self }, allExcept('complaint')],
  ['the person as the owner', { user_id: self, kind: 'owner' }, allExcept('complaint')],
  [
    'the line manager',
    { user_id: leader, can: views, record_scopes: scopeOfAll('team') },
    ['award', 'promotion', 'employee_transfer', 'resignation'],
  ],
  ['the line manager, without a right', { user_id: leader, can: [] }, []],
  ['a line manager of others', { user_id: mate, can: views, record_scopes: scopeOfAll('team') }, ['complaint']],
  ['who has filed the complaint', { user_id: mate, can: [] }, ['complaint']],
  ['a manager', { can: views.filter((view) => view !== 'complaint.view') }, allExcept('complaint')],
  ['hr', { can: everything }, NOUNS],
  ['the owner', { kind: 'owner' }, NOUNS],
  ['a colleague', { can: [] }, []],
  ['a client with every right', { kind: 'client' }, []],
  ['a vendor with every right', { kind: 'vendor' }, []],
  ['a user of another workspace', { workspace: '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a10' }, []],
];

describe('the visibility of pending records', () => {
  test.each(MATRIX)('matches the matrix in lists, in counts and by ID: %s', async (_, rights, seen) => {
    const by = acme.member(rights);
    for (const noun of NOUNS) {
      const expected = seen.includes(noun);
      const shown = await by.get(`/api/${pathOf(noun)}/show/${ids[noun]}`);
      const may = noun !== 'complaint' || by.caller.permissions.includes('complaint.view');
      expect([noun, shown.status]).toEqual([noun, may ? (expected ? 200 : 404) : 403]);
      const listed = await by.get(`/api/${pathOf(noun)}s?id=${ids[noun]}`);
      const lists = by.caller.permissions.includes(`${noun}.view`);
      const counted = lists ? Number(expected) : undefined;
      expect([noun, listed.status, listed.body.meta?.total]).toEqual([noun, lists ? 200 : 403, counted]);
    }
  });

  test('lists own records to the employee, and to no other caller', async () => {
    const countRecords = async (by: Member) => {
      const lists = NOUNS.map(async (noun) => (await by.get(`/api/hrm/${pathOf(noun)}s`)).body.data.length as number);
      return Object.fromEntries((await Promise.all(lists)).map((rows, at) => [NOUNS[at]!, rows]));
    };
    const none = {
      award: 0,
      promotion: 0,
      employee_transfer: 0,
      resignation: 0,
      termination: 0,
      warning: 0,
      complaint: 0,
    };
    expect(await countRecords(acme.member({ user_id: self, kind: 'owner' }))).toEqual({
      ...none,
      award: 1,
      resignation: 1,
      warning: 1,
    });
    expect(await countRecords(acme.member({ user_id: leader }))).toEqual(none);
    expect(await countRecords(acme.member({ user_id: mate, can: [] }))).toEqual({ ...none, complaint: 1 });
    for (const noun of NOUNS)
      expect([
        (await acme.owner.get(`/api/hrm/${pathOf(noun)}s`)).body.code,
        (await acme.member({ user_id: self }).get(`/api/hrm/${pathOf(noun)}s?employee_id=${ids[noun]}`)).status,
      ]).toEqual(['not_an_employee', 422]);
  });
});

/** Resulting status of each action by current status, or its rejection. */
const CHANGE = {
  pending: { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' },
  approved: { approve: 'approved', reject: 409, withdraw: 409 },
  rejected: { approve: 409, reject: 'rejected', withdraw: 409 },
  withdrawn: { approve: 409, reject: 409, withdraw: 'withdrawn' },
  effective: { approve: 'effective', reject: 409, withdraw: 409 },
} as const;
const NOTICE = { ...CHANGE, approved: { approve: 'approved', reject: 409, withdraw: 'withdrawn' } } as const;
type Action = 'approve' | 'reject' | 'withdraw';
const TO: Record<keyof typeof CHANGE, Action[]> = {
  pending: [],
  approved: ['approve'],
  rejected: ['reject'],
  withdrawn: ['withdraw'],
  effective: ['approve'],
};

describe.each([
  ['promotion', CHANGE],
  ['employee_transfer', CHANGE],
  ['resignation', NOTICE],
  ['termination', NOTICE],
] as const)('a %s', (noun, table) => {
  const cases = Object.entries(table).flatMap(([from, actions]) =>
    Object.entries(actions).map(([action, leads]) => [from, action, leads] as const),
  );

  test.each(cases)('responds in status %s to %s with %s', async (from, action, leads) => {
    freezeClock(NOON);
    const shop = await company();
    const { department_id } = (await shop.owner.get('/api/departments?name=Management')).body.data[0] ?? {};
    const employee_id = await shop.employ();
    const place = (await shop.owner.get(`/api/employee/show/${employee_id}`)).body.data;
    const post = async (path: string, body: object) => await shop.owner.post(`/api/${path}`, body);
    const recordIdOf = async (path: string, body: object) => (await post(path, body)).body.data.id as string;
    const isPast = from === 'effective';
    const bodies = {
      promotion: async () => ({
        to_designation_id: await recordIdOf('designation/create', {
          name: 'Head',
          department_id: place.department_id ?? department_id,
        }),
        effective_date: isPast ? '2026-02-01' : FUTURE_DAY,
      }),
      employee_transfer: async () => ({
        to_branch_id: await recordIdOf('branch/create', { name: 'Harbour' }),
        effective_date: isPast ? '2026-02-01' : FUTURE_DAY,
      }),
      resignation: async () => ({
        notice_date: '2026-02-01',
        last_day: isPast ? '2026-02-01' : FUTURE_DAY,
        reason: 'x',
      }),
      termination: async () => ({
        type: 'dismissal',
        notice_date: '2026-02-01',
        date: isPast ? '2026-02-01' : FUTURE_DAY,
        reason: 'x',
      }),
    };
    const id = await recordIdOf(`${pathOf(noun)}/create`, { employee_id, ...(await bodies[noun]()) });
    const decide = (one: string) => post(`${pathOf(noun)}/update-status/${id}`, { action: one });
    for (const step of TO[from as keyof typeof TO]) expect((await decide(step)).status).toBe(200);
    const tools = serving.tools as never;
    await applyDueChanges(tools);
    await applyEffectiveDates(tools, [endNotices]);
    expect((await shop.owner.get(`/api/${pathOf(noun)}/show/${id}`)).body.data.status).toBe(from);
    const reply = await decide(action);
    const refused = { status: 409, body: { code: 'invalid_transition', details: { from, action } } };
    expect(reply).toMatchObject(leads === 409 ? refused : { status: 200, body: { data: { status: leads } } });
    const edited = await post(`${pathOf(noun)}/update/${id}`, { reason: 'Another one' });
    const state = leads === 409 ? from : leads;
    expect(edited.status).toBe(state === 'pending' ? 200 : 409);
    expect((await shop.owner.delete(`/api/${pathOf(noun)}/delete/${id}`)).status).toBe(state === 'pending' ? 200 : 409);
  });
});
