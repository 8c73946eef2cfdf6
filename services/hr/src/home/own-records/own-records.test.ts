import { beforeEach, expect, test } from '@jest/globals';
import { unzipSync } from 'fflate';
import { freezeClock } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';

const { platform, company } = await openHr();
let acme: TestWorkspace;
beforeEach(async () => {
  freezeClock('2026-06-15T10:00:00Z');
  acme = await company();
});

test('exports all own records, decrypted, and no records of others', async () => {
  const user_id = platform.hire(acme.workspace);
  const id = await acme.employ({ user_id });
  const other = await acme.employ({ name: 'Grace Hopper' });
  const changeSalary = (employee: string, amount: string) =>
    acme.owner.post(`/api/employee/update/${employee}`, {
      salary: { basis: 'monthly', amount },
      bank: { bank_name: 'Bank', account_number: `12345678${amount}` },
    });
  await changeSalary(id, '4250.00');
  await changeSalary(other, '9999.00');
  const loan = { amount: '900.00', instalment: '150.00', first_period: '2026-07-01' };
  await acme.owner.post('/api/employee-loan/create', { employee_id: id, ...loan });
  const self = acme.member({ user_id, can: [] });
  const reply = await self.get('/api/hrm/my-data');
  expect(reply).toMatchObject({
    status: 200,
    body: {
      data: {
        records: {
          employee: [{ id, name: 'Ada Lovelace', bank: { account_number: '123456784250.00' } }],
          loans: [{ amount: '900.00', left: '900.00' }],
          payslips: [],
        },
      },
    },
  });
  const { history } = reply.body.data.records;
  expect(history.find(({ field }: { field: string }) => field === 'salary').value).toMatchObject({ amount: '4250.00' });
  const text = JSON.stringify(reply.body);
  for (const word of ['9999.00', other, '_sealed', 'workspace_id', 'v1.']) expect(text).not.toContain(word);

  const archive = await self.get('/api/hrm/my-data', { headers: { accept: 'application/zip' } });
  expect(archive.headers.get('content-type')).toBe('application/zip');
  const files = unzipSync(new Uint8Array(archive.content));
  const own = JSON.parse(Buffer.from(files['employee.json']!).toString('utf8'));
  expect(own).toMatchObject([{ id, name: 'Ada Lovelace' }]);
});

test('includes records about the employee once they may see them', async () => {
  const user_id = platform.hire(acme.workspace);
  const employee_id = await acme.employ({ user_id });
  const colleague = await acme.employ({ name: 'Grace Hopper' });
  const post = async (path: string, body: object) => {
    const reply = await acme.owner.post(`/api/${path}`, body);
    expect([path, Math.floor(reply.status / 100)]).toEqual([path, 2]);
    return reply.body.data;
  };
  const date = '2026-06-01';
  const warned = { subject: 'Late again', severity: 'written', date, text: 'Three times in May.' };
  for (const id of [employee_id, colleague]) {
    await post('award/create', { employee_id: id, type: 'month', title: `Idea of ${id}`, date });
    await post('warning/create', { employee_id: id, ...warned });
  }
  const { department_id } = await post('designation/create', {
    name: 'Master',
    department_id: (await acme.owner.get(`/api/employee/show/${employee_id}`)).body.data.department_id,
  });
  const [{ id: to_designation_id }] = (
    await acme.owner.get(`/api/designations?name=Master&department_id=${department_id}`)
  ).body.data;
  const promotion = await post('promotion/create', {
    employee_id,
    to_designation_id,
    effective_date: '2026-09-01',
    salary: { basis: 'monthly', amount: '5000.00' },
  });
  const self = acme.member({ user_id, can: [] });
  const noise = { subject: 'Noise', date, description: 'Every morning.' };
  expect(await self.post('/api/hrm/complaint', { ...noise, against_employee_id: colleague })).toMatchObject({
    status: 201,
  });
  expect(await self.post('/api/hrm/complaint', { ...noise, anonymous: true })).toMatchObject({ status: 201 });
  await acme.owner.post('/api/complaint/create', { ...noise, against_employee_id: employee_id });
  const readRecords = async () => (await self.get('/api/hrm/my-data')).body.data.records;
  expect(await readRecords()).toMatchObject({
    awards: [{ title: `Idea of ${employee_id}` }],
    warnings: [{ text: 'Three times in May.' }],
    complaints: [{ subject: 'Noise', against_employee_id: colleague, author: null }],
    promotions: [],
  });
  await post(`promotion/update-status/${promotion.id}`, { action: 'approve' });
  expect((await readRecords()).promotions).toMatchObject([{ salary: { amount: '5000.00' } }]);
  // A caller with access to all warnings gets only their own.
  const chief = await acme.member({ user_id }).get('/api/hrm/my-data');
  expect(chief.body.data.records.warnings).toHaveLength(1);
});

test('is available to employees only', async () => {
  expect(await acme.owner.get('/api/hrm/my-data')).toMatchObject({ status: 403, body: { code: 'not_an_employee' } });
});
