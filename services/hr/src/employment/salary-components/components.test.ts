import { describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { allowance, openComponents } from '../../../test/components.ts';
import { readComponents } from './component.ts';

const { company, acme, create, made: created, update, remove, list } = await openComponents();

/** Creates an employee with salary components. */
async function createEmployeeWith(...components: { component_id: string; value?: string }[]) {
  const designation = (await acme.owner.get('/api/designations')).body.data[0];
  const { branch_id } = (await acme.owner.get('/api/departments')).body.data[0];
  return await acme.owner.post('/api/employee/create', {
    name: 'Ada Lovelace',
    joining_date: '2026-01-01',
    employment_type: 'full',
    branch_id,
    department_id: designation.department_id,
    designation_id: designation.id,
    salary: {
      basis: 'monthly',
      amount: '4250.00',
      components,
    },
  });
}

describe('a component', () => {
  test('has the defaults of its kind, and applies to all days', async () => {
    expect(await created()).toMatchObject({
      ...allowance,
      position: 1,
      taxable: true,
      prorated: true,
      percent: null,
      base: [],
      slabs: null,
      effective_from: '0001-01-01',
      versions: [{ effective_from: '0001-01-01', amount: '300.00' }],
      active: true,
      version: 1,
    });
    const slabs = [
      { from: '0', to: '12000', rate: '0' },
      { from: '12000', rate: '20.5' },
    ];
    const tax = { code: 'income_tax', name: 'Tax', kind: 'deduction', calc: 'slab', amount: undefined, annual: true };
    expect(await created({ ...tax, slabs })).toMatchObject({
      position: 2,
      taxable: false,
      prorated: false,
      slabs: [
        { from: '0.00', to: '12000.00', rate: '0' },
        { from: '12000.00', to: null, rate: '20.5' },
      ],
    });
    expect(await list('?kind=deduction&sort=-position&q=ta')).toMatchObject([{ code: 'income_tax' }]);
    expect(await list('?calc=fixed&fields=code')).toEqual([{ code: 'allowance' }]);
  });

  test('has a unique code, even with 50 concurrent requests', async () => {
    const replies = await runConcurrently(50, () => create({}));
    expect(sortedStatuses(replies).filter((status) => status === 201)).toHaveLength(1);
    expect(sortedStatuses(replies).filter((status) => status === 409)).toHaveLength(49);
  });

  test.each([
    [{ code: 'Housing' }, 'code'],
    [{ code: 'gross' }, 'code'],
    [{ percent: '5' }, 'percent'],
    [{ base: ['basic'] }, 'base'],
    [{ amount: '-5' }, 'amount'],
    [{ pre_tax: true }, 'pre_tax'],
    [{ annual: true, calc: 'slab', amount: undefined, slabs: [{ from: '0', rate: '10' }] }, 'annual'],
    [{ kind: 'deduction', one_off: true }, 'one_off'],
    [{ kind: 'deduction', prorated: true }, 'prorated'],
    [{ calc: 'formula', amount: undefined }, 'formula'],
    [{ calc: 'slab', amount: undefined }, 'slabs'],
    [{ calc: 'slab', amount: undefined, slabs: [{ from: '10', to: '5', rate: '1' }] }, 'slabs.0'],
    [
      {
        calc: 'slab',
        amount: undefined,
        slabs: [
          { from: '0', to: '5', rate: '1' },
          { from: '6', rate: '2' },
        ],
      },
      'slabs.1',
    ],
    [{ calc: 'percent_of_basic', amount: undefined, percent: '9', base: ['basic', 'basic'] }, 'base'],
    [{ effective_from: '1949-12-31' }, 'effective_from'],
    [{ effective_from: '2027-06-16' }, 'effective_from'],
  ])('is not %j', async (body, field) => {
    const { status, body: fault } = await create(body);
    expect([status, Object.keys(fault.errors ?? {})]).toEqual([422, [field]]);
  });

  test('is hidden without the permission', async () => {
    await created();
    const context = acme.member({ can: ['salary_component.view'] });
    expect((await context.get('/api/salary-components')).body.data).toHaveLength(1);
    expect(await create({ code: 'other' }, context)).toMatchObject({ status: 403 });
    expect(await acme.member({ can: ['payroll.view'] }).get('/api/salary-components')).toMatchObject({ status: 403 });
    const client = acme.member({ kind: 'client', can: ['salary_component.view'] });
    expect((await client.get('/api/salary-components')).body).toMatchObject({ data: [], meta: { total: 0 } });
    const other = await company();
    expect((await other.owner.get('/api/salary-components')).body.data).toEqual([]);
  });
});

describe('updating a component', () => {
  test('changes it in place while unused, and drops values of its previous calculation', async () => {
    const { id } = await created();
    const reply = await update(id, { code: 'housing', calc: 'percent_of_basic', percent: '10', version: 1 });
    expect(reply.body.data).toMatchObject({ code: 'housing', amount: null, percent: '10', version: 2 });
    expect(reply.body.data.versions).toHaveLength(1);
    expect(await update(id, { percent: '11', version: 1 })).toMatchObject({ status: 412 });
    expect(await update(id, { name: 'Rent' })).toMatchObject({ body: { data: { name: 'Rent', percent: '10' } } });
    expect(await update(id, { effective_from: '2026-07-01' })).toMatchObject({ status: 422 });
  });

  test('takes effect from a given day while in use, and earlier days keep their terms', async () => {
    const { id } = await created();
    expect(await createEmployeeWith({ component_id: id })).toMatchObject({ status: 201 });
    expect((await update(id, { amount: '320' })).body.data).toMatchObject({
      amount: '320.00',
      effective_from: '2026-06-15',
      versions: [{ effective_from: '0001-01-01', amount: '300.00' }, { effective_from: '2026-06-15' }],
    });
    await update(id, { amount: '350', effective_from: '2027-01-01' });
    await update(id, { amount: '340', effective_from: '2026-05-01' });
    const amounts = async (day: string) =>
      (await list(`?as_of=${day}`)).map(({ amount }: { amount: string }) => amount);
    expect(await Promise.all(['2026-04-30', '2026-05-01', '2026-06-15', '2027-01-01'].map(amounts))).toEqual([
      ['300.00'],
      ['340.00'],
      ['320.00'],
      ['350.00'],
    ]);
    const read = await acme.write((db) => readComponents(db, '2026-12-31'));
    expect(read.days).toEqual(['0001-01-01', '2026-05-01', '2026-06-15']);
    expect(read.on('2026-05-31')).toMatchObject([{ id, component: { code: 'allowance', amount: '340' } }]);
    expect(await update(id, { kind: 'deduction' })).toMatchObject({ status: 409, body: { code: 'in_use' } });
    expect(await update(id, { code: 'other' })).toMatchObject({
      status: 409,
      body: { details: { counts: { salaries: 1 } } },
    });
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'in_use' } });
  });

  test('is rejected if scheduled components could no longer be calculated', async () => {
    const { id } = await created({ code: 'one', position: 1 });
    const { id: other } = await created({ code: 'two', position: 2 });
    await update(other, { calc: 'formula', formula: 'one * 2', effective_from: '2027-01-01' });
    expect(await update(id, { position: 3 })).toMatchObject({ status: 422, body: { code: 'formula_invalid' } });
    expect(await remove(id)).toMatchObject({ status: 409, body: { details: { components: ['two'] } } });
    expect(await remove(other)).toMatchObject({ status: 200 });
    expect(await remove(id)).toMatchObject({ status: 200 });
    expect(await remove(id)).toMatchObject({ status: 404 });
  });

  test('respects the first day of the component', async () => {
    const { id } = await created({ effective_from: '2026-07-01' });
    expect(await list()).toMatchObject([{ id, effective_from: '2026-07-01', amount: '300.00' }]);
    expect(await list('?as_of=2026-06-30')).toEqual([]);
    expect(await update(id, { amount: '1', effective_from: '2026-06-30' })).toMatchObject({ status: 422 });
    expect((await acme.write((db) => readComponents(db))).on('2026-06-30')).toEqual([]);
  });

  test('changes nothing in a dry run', async () => {
    const { id } = await created();
    const tried = await acme.owner.post(`/api/salary-component/update/${id}?dry_run=true`, { amount: '999' });
    expect(tried).toMatchObject({ status: 200, body: { data: { amount: '999.00' } } });
    expect(await list()).toMatchObject([{ amount: '300.00', version: 1 }]);
  });
});

describe('a salary', () => {
  test('accepts only existing, active components', async () => {
    const { id } = await created();
    await update(id, { active: false });
    const field = 'salary.components.0.component_id';
    const errors = async (component_id: string) => (await createEmployeeWith({ component_id })).body.errors;
    expect(await errors(id)).toEqual({ [field]: ['This component is no longer active. Select another one.'] });
    const foreign = await company();
    const { id: other } = (await foreign.owner.post('/api/salary-component/create', allowance)).body.data;
    expect(Object.keys(await errors(other))).toEqual([field]);
    await update(id, { active: true });
    expect(await createEmployeeWith({ component_id: id, value: '12.50' })).toMatchObject({ status: 201 });
  });

  test('has no component that is deleted concurrently', async () => {
    const { id } = await created();
    const replies = await runConcurrently(20, (at) =>
      at % 2 === 0 ? createEmployeeWith({ component_id: id }) : remove(id),
    );
    const [employed, removed] = [0, 1].map((half) =>
      replies.filter((_, at) => at % 2 === half).filter(({ status }) => status < 300),
    );
    expect(removed!.length === 0 || employed!.length === 0).toBe(true);
    expect(employed!.length + removed!.length).toBeGreaterThan(0);
    expect(await list()).toHaveLength(removed!.length > 0 ? 0 : 1);
  });
});
