import { expect, test } from '@jest/globals';
import { openRecords } from '../../../test/records.ts';

const { serving, at, post, employee, events, takeEffects, keepDates } = await openRecords();
const JULY_BEGINS = '2026-06-30T22:00:00Z';

/** Creates and approves a promotion. @returns its ID */
async function createPromotion(more: object = {}): Promise<string> {
  const body = { employee_id: at.employee_id, to_designation_id: at.designation_id, effective_date: '2026-07-01' };
  const { id } = (await post('promotion/create', { ...body, ...more })).body.data;
  await post(`promotion/update-status/${id}`, { action: 'approve' });
  return id;
}
const show = async (id: string) => (await at.acme.owner.get(`/api/promotion/show/${id}`)).body.data;

test('applies changes missed during downtime, in order of their days', async () => {
  const { department_id } = await employee();
  const chief = (await post('designation/create', { name: 'Chief', department_id })).body.data.id;
  await createPromotion({ to_designation_id: chief, effective_date: '2026-09-01' });
  await createPromotion();
  at.goTo('2027-01-15T10:00:00Z');
  await takeEffects();
  expect(await employee()).toMatchObject({ designation_id: chief });
  expect(await employee('?as_of=2026-08-31')).toMatchObject({ designation_id: at.designation_id });
  const emitted = (await events())
    .filter(([type]) => type === 'hr.employee.updated')
    .map(([, data]) => data['effective_from']);
  expect(emitted).toEqual(['2026-07-01', '2026-09-01']);
});

test('withdraws a promotion of a former employee with the reason as remark', async () => {
  const id = await createPromotion();
  await post(`employee/end-employment/${at.employee_id}`, { exit_date: '2026-06-30', cause: 'resigned' });
  at.goTo(JULY_BEGINS);
  await keepDates();
  await takeEffects();
  expect(await show(id)).toMatchObject({
    status: 'withdrawn',
    remark: 'This employment has ended. Rehire the employee to change it.',
  });
  expect(await serving.sql`SELECT FROM postponed_work WHERE workspace_id = ${at.acme.workspace}`).toEqual([]);
});

test('withdraws a promotion to an inactive designation with the reason as remark', async () => {
  const id = await createPromotion();
  await post(`designation/update/${at.designation_id}`, { active: false });
  at.goTo(JULY_BEGINS);
  await takeEffects();
  expect(await show(id)).toMatchObject({
    status: 'withdrawn',
    remark: 'This designation is inactive. Choose an active one.',
  });
});

test('retries a failing change later and applies the others', async () => {
  const broken = await createPromotion({ salary: { basis: 'monthly', amount: '5200' } });
  const other = await at.acme.employ({ name: 'Other' });
  const sound = await createPromotion({ employee_id: other });
  const [{ salary_sealed } = {}] = await serving.sql`SELECT salary_sealed FROM promotions WHERE id = ${broken}`;
  await serving.sql`UPDATE promotions SET salary_sealed = ${`${salary_sealed}x`} WHERE id = ${broken}`;
  at.goTo(JULY_BEGINS);
  await takeEffects();
  await takeEffects();
  const statusInDatabase = async (id: string) =>
    (await serving.sql<{ status: string }>`SELECT status FROM promotions WHERE id = ${id}`)[0]!.status;
  expect([await statusInDatabase(broken), await statusInDatabase(sound)]).toEqual(['approved', 'effective']);
  const postponedWork = () => serving.sql`SELECT schedule, attempts FROM postponed_work WHERE subject = ${broken}`;
  expect(await postponedWork()).toEqual([{ schedule: 'hr.take-effect', attempts: 1 }]);
  await serving.sql`UPDATE promotions SET salary_sealed = ${salary_sealed} WHERE id = ${broken}`;
  at.goTo('2026-06-30T22:01:00Z');
  await takeEffects();
  expect([await show(broken), await postponedWork()]).toMatchObject([{ status: 'effective' }, []]);
});

test('retries an employee with failing dates later and completes the others', async () => {
  const other = await at.acme.employ({ name: 'Other' });
  for (const id of [at.employee_id, other])
    await post(`employee/end-employment/${id}`, { exit_date: '2026-06-30', cause: 'resigned' });
  const later = await at.acme.employ({ name: 'Later', joining_date: '2026-09-01', status: 'onboarding' });
  const [employment] = await serving.sql`SELECT id FROM employments WHERE employee_id = ${at.employee_id}`;
  const moveEmploymentTo = (id: string) =>
    serving.sql`UPDATE employments SET employee_id = ${id} WHERE id = ${employment!['id']}`;
  await moveEmploymentTo(later);
  at.goTo(JULY_BEGINS);
  await keepDates();
  const statusOf = async (id: string) => (await at.acme.owner.get(`/api/employee/show/${id}`)).body.data.status;
  expect([await statusOf(at.employee_id), await statusOf(other)]).toEqual(['on_notice', 'left']);
  await moveEmploymentTo(at.employee_id);
  at.goTo('2026-06-30T22:01:00Z');
  await keepDates();
  expect(await statusOf(at.employee_id)).toBe('left');
});
