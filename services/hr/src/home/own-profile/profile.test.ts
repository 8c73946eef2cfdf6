import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, freezeClock, sortedStatuses, runConcurrently } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';

const { serving, platform, company } = await openHr();
let acme: TestWorkspace;
let ada: string;
let self: Member;
beforeEach(async () => {
  freezeClock('2026-06-15T10:00:00Z');
  acme = await company();
  const user_id = platform.hire(acme.workspace);
  ada = await acme.employ({ user_id });
  self = acme.member({ user_id, can: [] });
});

const IBAN = 'DE89370400440532013000';
const change = (body: object, by: Member = self) => by.post('/api/hrm/profile', body);
const decide = (id: string, body: object, by: Member = acme.owner) =>
  by.post(`/api/employee/confirm-change/${id}`, body);
const pendingRequests = async (by: Member = acme.owner) =>
  (await by.get('/api/employee-change-requests?status=pending')).body.data;
const bank = { bank_name: 'Bank', account_number: IBAN };
const account = async () =>
  (await acme.owner.get(`/api/employee/show/${ada}?reveal=bank`)).body.data.bank?.account_number.value as
    | string
    | undefined;

describe('the own profile', () => {
  test('changes contact data immediately and requests changes of sensitive data', async () => {
    const reply = await change({ phone: '+49 40 1', address: 'Quay 1', bank, tax_id: 'T 987 654' });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        data: {
          phone: '+49 40 1',
          address: 'Quay 1',
          change_requests: [
            { field: 'bank', last_4: '3000', status: 'pending' },
            { field: 'tax_id', last_4: ' 654', allowed_actions: [] },
          ],
        },
      },
    });
    expect(await account()).toBeUndefined();
    const logged = await serving.sql`SELECT before, after FROM journal_changes WHERE workspace_id = ${acme.workspace}`;
    expect(JSON.stringify(logged)).not.toContain('0532013');
  });

  test('has only the latest pending request for a field', async () => {
    await change({ bank: { ...bank, account_number: '12345678' } });
    await change({ bank });
    expect(await pendingRequests()).toMatchObject([{ field: 'bank', last_4: '3000', employee_id: ada }]);
    const replies = await runConcurrently(20, () => change({ bank }));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect(await pendingRequests()).toHaveLength(1);
  });

  test.each([
    [{}, 'nothing_asked_for'],
    [{ bank: { bank_name: 'Bank', account_number: 'DE88370400440532013000' } }, 'iban_invalid'],
    [{ employee_id: '018f0000-0000-7000-8000-000000000000' }, 'validation_failed'],
    [{ salary: null }, 'validation_failed'],
    [{ bank: null }, 'validation_failed'],
  ])('is not %j', async (body, code) => {
    expect(await change(body)).toMatchObject({ status: 422, body: { code } });
    expect(await pendingRequests()).toEqual([]);
  });

  test('requires an employee and the current version', async () => {
    expect(await change({ phone: '+49 40 1' }, acme.member())).toMatchObject({
      status: 403,
      body: { code: 'not_an_employee' },
    });
    await change({ phone: '+49 40 2' });
    expect(await change({ phone: '+49 40 3', version: 1 })).toMatchObject({ status: 412 });
  });
});

describe('a change request', () => {
  test('is confirmed once, with the required permission, and takes effect', async () => {
    await change({ bank });
    const [{ id }] = await pendingRequests();
    expect(
      await decide(id, { action: 'confirm' }, acme.member({ can: ['employee.view', 'employee.update'] })),
    ).toMatchObject({ status: 403, body: { details: { permission: 'employee.bank' } } });
    const replies = await runConcurrently(20, () => decide(id, { action: 'confirm' }));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect(replies[0]!.body.data).toMatchObject({ status: 'confirmed', last_4: null, allowed_actions: [] });
    expect(await account()).toBe(IBAN);
    expect(await decide(id, { action: 'reject' })).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
  });

  test('cannot be confirmed by the employee', async () => {
    await change({ bank });
    const [{ id }] = await pendingRequests();
    const both = acme.member({ user_id: self.caller.user_id });
    expect(await decide(id, { action: 'confirm' }, both)).toMatchObject({ status: 409, body: { code: 'own_record' } });
    expect(await account()).toBeUndefined();
  });

  test('is rejected with a reason, and can be requested again', async () => {
    await change({ national_id: '12-345 X' });
    const [{ id }] = await pendingRequests();
    expect(await decide(id, { action: 'reject', reason: 'Not readable' })).toMatchObject({
      body: { data: { status: 'rejected', reason: 'Not readable', last_4: null } },
    });
    await change({ national_id: '12-345 X' });
    const [again] = await pendingRequests();
    expect(await decide(again.id, { action: 'confirm' })).toMatchObject({ status: 200 });
    const taken = platform.hire(acme.workspace);
    await acme.employ({ user_id: taken });
    await change({ national_id: '12 345x' }, acme.member({ user_id: taken, can: [] }));
    const [twin] = await pendingRequests();
    expect(await decide(twin.id, { action: 'confirm' })).toMatchObject({
      status: 409,
      body: { code: 'identity_taken' },
    });
  });

  test('is limited to the workspace and to visible employees', async () => {
    await change({ bank });
    const [{ id }] = await pendingRequests();
    expect(await decide(id, { action: 'confirm' }, (await company()).owner)).toMatchObject({ status: 404 });
    const own = acme.member({ can: ['employee.view', 'employee.update'], record_scopes: { employee: 'own' } });
    expect(await pendingRequests(own)).toEqual([]);
    expect((await pendingRequests(acme.member({ can: ['employee.view', 'employee.update'] })))[0].last_4).toBeNull();
  });
});
