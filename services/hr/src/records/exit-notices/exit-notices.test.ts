import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openRecords } from '../../../test/records.ts';

const { at, member, post, employee, events, keepDates, platform } = await openRecords();
/** 00:00 in Berlin on 1 August. */
const AUGUST_BEGINS = '2026-07-31T22:00:00Z';

beforeEach(async () => {
  await post(`employee/update/${at.employee_id}`, { notice_days: 30 });
});

/** Resignations and terminations, each with its field name for the last day. */
const KINDS = {
  resignation: (last_day: string, more: object = {}) => ({
    employee_id: at.employee_id,
    notice_date: '2026-06-15',
    last_day,
    reason: 'Moves to the sea',
    ...more,
  }),
  termination: (date: string, more: object = {}) => ({
    employee_id: at.employee_id,
    type: 'redundancy',
    notice_date: '2026-06-15',
    date,
    reason: 'The plant closes',
    ...more,
  }),
} as const;

describe.each(['resignation', 'termination'] as const)('a %s', (noun) => {
  const createNotice = (last_day = '2026-07-31', more: object = {}) =>
    post(`${noun}/create`, KINDS[noun](last_day, more));
  const createdNoticeId = async (last_day?: string, more?: object) =>
    (await createNotice(last_day, more)).body.data.id as string;
  const decide = (id: string, action: string) => post(`${noun}/update-status/${id}`, { action });
  const show = async (id: string) => (await at.acme.owner.get(`/api/${noun}/show/${id}`)).body.data;

  test('is approved, puts the employee on notice, and takes effect after the last day', async () => {
    const id = await createdNoticeId();
    expect(await employee()).toMatchObject({ status: 'active', exit_date: null });
    expect((await decide(id, 'approve')).body.data).toMatchObject({
      status: 'approved',
      allowed_actions: ['withdraw'],
    });
    expect(await employee()).toMatchObject({ status: 'on_notice', exit_date: '2026-07-31' });
    at.goTo(AUGUST_BEGINS);
    await Promise.all([keepDates(), keepDates()]);
    expect(await show(id)).toMatchObject({ status: 'effective' });
    expect(await employee()).toMatchObject({
      status: 'left',
      employments: [{ exit_date: '2026-07-31', exit_cause: noun === 'resignation' ? 'resigned' : 'terminated' }],
    });
    expect((await events()).map(([type]) => type)).toEqual([
      'hr.employee.updated',
      'hr.employee.status_changed',
      'hr.employee.status_changed',
      'hr.employee.left',
    ]);
    expect(await createNotice('2026-09-30')).toMatchObject({ status: 409, body: { code: 'employment_ended' } });
  });

  test('respects the notice period unless it is waived', async () => {
    expect(await createNotice('2026-07-14')).toMatchObject({
      status: 422,
      body: { code: 'notice_too_short', details: { earliest: '2026-07-15' } },
    });
    expect(await createNotice('2026-06-14')).toMatchObject({ status: 422 });
    expect(await createNotice('2025-12-31', { waive_notice: true, notice_date: '2025-12-01' })).toMatchObject({
      status: 422,
      body: { code: 'exit_before_joining' },
    });
    const id = (await createNotice('2026-07-15')).body.data.id;
    const short = noun === 'resignation' ? { last_day: '2026-06-20' } : { date: '2026-06-20' };
    expect(await post(`${noun}/update/${id}`, short)).toMatchObject({
      status: 422,
      body: { code: 'notice_too_short' },
    });
    expect(await post(`${noun}/update/${id}`, { ...short, waive_notice: true })).toMatchObject({ status: 200 });
  });

  test('is the only pending exit of an employment', async () => {
    const replies = await runConcurrently(50, (turn) =>
      turn % 2 === 0 ? createNotice() : post('termination/create', KINDS.termination('2026-08-31')),
    );
    expect(sortedStatuses(replies).filter((status) => status === 201)).toHaveLength(1);
    expect(new Set(replies.filter(({ status }) => status !== 201).map(({ body }) => body.code))).toEqual(
      new Set(['already_leaving']),
    );
  });

  test('allows a new one after it is rejected or withdrawn', async () => {
    await decide(await createdNoticeId(), 'reject');
    const second = await createdNoticeId();
    expect((await decide(second, 'withdraw')).body.data).toMatchObject({ status: 'withdrawn' });
    expect(await decide(second, 'approve')).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(await createNotice()).toMatchObject({ status: 201 });
    expect(await employee()).toMatchObject({ status: 'active' });
  });

  test('can be withdrawn until the last day, and the employee stays', async () => {
    const id = await createdNoticeId();
    await decide(id, 'approve');
    at.goTo('2026-07-31T21:59:00Z');
    expect((await decide(id, 'withdraw')).body.data).toMatchObject({ status: 'withdrawn' });
    expect(await employee()).toMatchObject({
      status: 'active',
      exit_date: null,
      employments: [{ exit_date: null, exit_cause: null }],
    });
    at.goTo('2026-06-15T10:00:00Z');
    const other = await createdNoticeId();
    await decide(other, 'approve');
    at.goTo(AUGUST_BEGINS);
    expect(await decide(other, 'withdraw')).toMatchObject({ status: 409, body: { code: 'last_day_over' } });
    await keepDates();
    expect(await decide(other, 'withdraw')).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
  });

  test('is withdrawn when the employment is continued another way', async () => {
    const id = await createdNoticeId();
    await decide(id, 'approve');
    expect(await post(`employee/continue-employment/${at.employee_id}`)).toMatchObject({ status: 200 });
    expect(await show(id)).toMatchObject({ status: 'withdrawn' });
    expect(await createNotice()).toMatchObject({ status: 201 });
  });

  test('lapses if pending when the employee leaves another way', async () => {
    const id = await createdNoticeId();
    await post(`employee/end-employment/${at.employee_id}`, { exit_date: '2026-06-30', cause: 'retired' });
    at.goTo('2026-06-30T22:00:00Z');
    await keepDates();
    expect(await show(id)).toMatchObject({ status: 'withdrawn' });
    await post(`employee/rehire/${at.employee_id}`, { joining_date: '2026-07-01' });
    expect(await createNotice('2026-09-30')).toMatchObject({ status: 201 });
  });

  test('takes effect once when decided concurrently', async () => {
    const id = await createdNoticeId();
    const replies = await runConcurrently(50, (turn) => decide(id, ['approve', 'reject', 'withdraw'][turn % 3]!));
    const { status } = await show(id);
    const emitted = (await events()).filter(([type]) => type === 'hr.employee.status_changed');
    const expected = { approved: [1], rejected: [0], withdrawn: [0, 2] }[status as 'approved'];
    expect(expected).toContain(emitted.length);
    expect(replies.every((reply) => reply.status === 200 || reply.body.code === 'invalid_transition')).toBe(true);
    expect((await employee()).status).toBe(status === 'approved' ? 'on_notice' : 'active');
  });

  test('rejects decisions by the employee, and employees who have not joined', async () => {
    const id = await createdNoticeId();
    const manager = member({ user_id: at.user_id, kind: 'owner' });
    expect(await manager.post(`/api/${noun}/update-status/${id}`, { action: 'approve' })).toMatchObject({
      status: 409,
      body: { code: 'own_record' },
    });
    const employee_id = await at.acme.employ({ joining_date: '2026-09-01', status: 'onboarding' });
    expect(await createNotice('2026-12-31', { employee_id })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'onboarding' } },
    });
  });
});

describe('a termination', () => {
  const terminate = (more: object) => post('termination/create', KINDS.termination('2026-06-15', more));

  test('needs no notice after a death, and records a retirement as exit cause', async () => {
    expect(await terminate({ type: 'death' })).toMatchObject({ status: 201 });
    const employee_id = await at.acme.employ({ name: 'Old' });
    const { id } = (await terminate({ employee_id, type: 'retirement', date: '2026-06-30' })).body.data;
    await post(`termination/update-status/${id}`, { action: 'approve' });
    const { data } = (await at.acme.owner.get(`/api/employee/show/${employee_id}`)).body;
    expect(data.employments).toMatchObject([{ exit_cause: 'retired' }]);
  });

  test('defaults to today, and is visible to the employee once approved', async () => {
    const { notice_date: _, ...body } = KINDS.termination('2026-07-31');
    const { data } = (await post('termination/create', body)).body;
    expect(data).toMatchObject({ notice_date: '2026-06-15' });
    expect((await at.self.get('/api/hrm/terminations')).body.data).toEqual([]);
    await post(`termination/update-status/${data.id}`, { action: 'approve' });
    expect((await at.self.get('/api/hrm/terminations')).body.data).toMatchObject([
      { id: data.id, allowed_actions: [] },
    ]);
  });
});

describe('a resignation by the employee', () => {
  const resign = (more: object = {}, by = at.self) =>
    by.post('/api/hrm/resignation', { last_day: '2026-07-31', reason: 'Moves to the sea', ...more });

  test('starts today, observes the notice period, and is withdrawn while pending', async () => {
    expect(await resign({ last_day: '2026-07-14' })).toMatchObject({ status: 422, body: { code: 'notice_too_short' } });
    expect(await resign({ waive_notice: true })).toMatchObject({ status: 422 });
    expect(await resign({ employee_id: at.employee_id })).toMatchObject({ status: 422 });
    const { data } = (await resign()).body;
    expect(data).toMatchObject({ status: 'pending', notice_date: '2026-06-15', allowed_actions: [] });
    expect(await resign()).toMatchObject({ status: 409, body: { code: 'already_leaving' } });
    const retract = (id: string, by = at.self) => by.post(`/api/hrm/resignation-withdraw/${id}`, {});
    const colleague = platform.hire(at.acme.workspace);
    await at.acme.employ({ name: 'Colleague', user_id: colleague });
    expect(await retract(data.id, member({ user_id: colleague, can: [] }))).toMatchObject({ status: 404 });
    expect((await retract(data.id)).body.data).toMatchObject({ status: 'withdrawn' });
    expect(await retract(data.id)).toMatchObject({ status: 200 });
    const again = (await resign()).body.data.id;
    await post(`resignation/update-status/${again}`, { action: 'approve' });
    expect(await retract(again)).toMatchObject({ status: 409, body: { code: 'already_decided' } });
    expect((await at.self.get('/api/hrm/resignations?sort=created_at')).body.data).toMatchObject([
      { id: data.id, status: 'withdrawn' },
      { id: again, status: 'approved' },
    ]);
  });

  test('requires an employee, and is created once for an idempotency key', async () => {
    expect(await resign({}, member({ can: [] }))).toMatchObject({ status: 403, body: { code: 'not_an_employee' } });
    const key = { headers: { 'idempotency-key': 'resign' } };
    const body = { last_day: '2026-07-31', reason: 'Moves' };
    const first = await at.self.post('/api/hrm/resignation', body, key);
    const second = await at.self.post('/api/hrm/resignation', body, key);
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
  });
});
