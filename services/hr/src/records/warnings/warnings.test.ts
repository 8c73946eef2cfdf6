import { describe, expect, test } from '@jest/globals';
import { runConcurrently } from '@suite/testing';
import { openRecords } from '../../../test/records.ts';

const { at, member, post, platform, takeEffects } = await openRecords();

const issue = (more: object = {}) =>
  post('warning/create', {
    employee_id: at.employee_id,
    subject: 'Late again',
    severity: 'written',
    date: '2026-06-12',
    text: 'Three times in May.',
    ...more,
  });
const issuedId = async (more?: object) => (await issue(more)).body.data.id as string;
const close = (id: string) => post(`warning/update-status/${id}`, { action: 'close', remark: 'A year without' });
const acknowledge = (id: string, by = at.self) => by.post(`/api/hrm/warning-acknowledge/${id}`, {});
const show = async (id: string) => (await at.acme.owner.get(`/api/warning/show/${id}`)).body.data;

describe('a warning', () => {
  test('is visible to the employee, acknowledged by them only, and closed afterwards', async () => {
    const { status, body } = await issue();
    expect([status, body.data]).toMatchObject([
      201,
      { status: 'issued', by: at.acme.owner.caller.user_id, allowed_actions: ['update', 'delete'] },
    ]);
    const { id } = body.data;
    expect((await at.self.get('/api/hrm/warnings')).body.data).toMatchObject([{ id, text: 'Three times in May.' }]);
    expect(await close(id)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(await acknowledge(id, at.acme.owner)).toMatchObject({ status: 403, body: { code: 'not_an_employee' } });
    const colleague = platform.hire(at.acme.workspace);
    await at.acme.employ({ name: 'Colleague', user_id: colleague });
    expect(await acknowledge(id, member({ user_id: colleague }))).toMatchObject({ status: 404 });
    const replies = await runConcurrently(10, () => acknowledge(id));
    expect(new Set(replies.map((reply) => reply.body.data.status))).toEqual(new Set(['acknowledged']));
    expect(await post(`warning/update/${id}`, { subject: 'Other' })).toMatchObject({ status: 409 });
    expect(await at.acme.owner.delete(`/api/warning/delete/${id}`)).toMatchObject({ status: 409 });
    expect((await close(id)).body.data).toMatchObject({
      status: 'closed',
      remark: 'A year without',
      allowed_actions: [],
    });
    expect(await close(id)).toMatchObject({ status: 200 });
    expect(await acknowledge(id)).toMatchObject({ status: 409, body: { code: 'warning_over' } });
  });

  test('expires at 00:00 of its day, acknowledged or not', async () => {
    const [one, two] = [await issuedId({ expires_on: '2026-07-01' }), await issuedId({ expires_on: '2026-07-01' })];
    await acknowledge(two);
    at.goTo('2026-06-30T21:59:59Z');
    await takeEffects();
    expect(await show(one)).toMatchObject({ status: 'issued' });
    at.goTo('2026-06-30T22:00:00Z');
    await takeEffects();
    expect([await show(one), await show(two)]).toMatchObject([{ status: 'expired' }, { status: 'expired' }]);
    expect(await close(two)).toMatchObject({ status: 409, body: { details: { from: 'expired' } } });
  });

  test('has a past date and a future expiry, and cannot be edited by its employee', async () => {
    expect(await issue({ date: '2026-06-16' })).toMatchObject({
      status: 422,
      body: { errors: { date: [expect.any(String)] } },
    });
    expect(await issue({ expires_on: '2026-06-15' })).toMatchObject({ status: 422 });
    expect(await issue({ severity: 'loud' })).toMatchObject({ status: 422 });
    const id = await issuedId();
    expect(
      (await post(`warning/update/${id}`, { subject: 'Smoking', expires_on: '2027-06-15' })).body.data,
    ).toMatchObject({
      subject: 'Smoking',
    });
    const find = async (query: string) => (await at.acme.owner.get(`/api/warnings?${query}`)).body.meta.total;
    expect([await find('q=smoking'), await find('q=late'), await find('severity=final')]).toEqual([1, 0, 0]);
    const manager = member({ user_id: at.user_id, kind: 'owner' });
    for (const reply of [
      await manager.post(`/api/warning/update/${id}`, { subject: 'x' }),
      await manager.delete(`/api/warning/delete/${id}`),
    ])
      expect(reply).toMatchObject({ status: 409, body: { code: 'own_record' } });
    expect(await at.acme.owner.delete(`/api/warning/delete/${id}`)).toMatchObject({ status: 200 });
  });
});
