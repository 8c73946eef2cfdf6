import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { calculatePayslip } from '../../employment/pay-computation/payslip/payslip.ts';
import { eventPublisher, runConcurrently } from '@suite/testing';
import { exampleInput } from '../../../test/pay-input.ts';
import { everything, openHr } from '../../../test/fixture.ts';
import { readComponents } from '../../employment/salary-components/component.ts';

const { serving, company } = await openHr();
const { say } = await eventPublisher(serving);

const FLAT = ['allowance', 'bonus', 'flat_pension', 'flat_tax'];

test('installs the flat pack in a new workspace once for any number of deliveries', async () => {
  const workspace_id = randomUUID();
  const owner = serving.member({ can: everything, workspace: workspace_id, modules: ['hrm'] });
  const provisioned = {
    workspace_id,
    name: 'Initech',
    timezone: 'Europe/Paris',
    currency: 'EUR',
    fiscal_year_start: '01-01',
    owner_id: randomUUID(),
  };
  await say(workspace_id, 'platform.workspace.provisioned', provisioned, { times: 3 });
  await say(workspace_id, 'platform.workspace.provisioned', provisioned, { position: 2 });
  const { data } = (await owner.get('/api/salary-components')).body;
  expect(data.map(({ code }: { code: string }) => code)).toEqual(FLAT);
});

describe('a pack', () => {
  test('is installed, and reports existing components as skipped', async () => {
    const { owner } = await company();
    const mine = { code: 'flat_tax', name: 'Mine', kind: 'deduction', calc: 'fixed', amount: '1.00' };
    await owner.post('/api/salary-component/create', mine);
    const [flat, progressive] = (await owner.get('/api/payroll-packs')).body.data;
    expect(flat).toMatchObject({
      code: 'flat',
      components: FLAT.map((code) => ({ code, taken: code === 'flat_tax' })),
    });
    expect(progressive.code).toBe('progressive');
    const install = (code: string) => owner.post('/api/payroll-pack/install', { code });
    const first = (await install('flat')).body.data;
    expect(first.skipped).toEqual(['flat_tax']);
    expect(first.installed.map(({ code }: { code: string }) => code)).toEqual(FLAT.slice(0, 3));
    expect((await install('flat')).body.data).toEqual({ installed: [], skipped: FLAT });
    expect(await install('lunar')).toMatchObject({ status: 422 });
    expect((await owner.get('/api/salary-components?code=flat_tax')).body.data).toMatchObject([{ name: 'Mine' }]);
  });

  test('is installed once by 50 concurrent calls', async () => {
    const { owner } = await company();
    const replies = await runConcurrently(50, () => owner.post('/api/payroll-pack/install', { code: 'progressive' }));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    const created = replies.flatMap(({ body }) => body.data.installed);
    expect(created).toHaveLength(9);
    expect((await owner.get('/api/salary-components')).body.data).toHaveLength(9);
  });

  test('requires the permission to change components', async () => {
    const { member } = await company();
    const context = member({ can: ['salary_component.view'] });
    expect(await context.get('/api/payroll-packs')).toMatchObject({ status: 200 });
    expect(await context.post('/api/payroll-pack/install', { code: 'flat' })).toMatchObject({ status: 403 });
  });

  test('calculates the example payslip', async () => {
    const { owner, write } = await company();
    await owner.post('/api/payroll-pack/install', { code: 'progressive' });
    const components = (await write((db) => readComponents(db))).on('2026-06-30').map(({ component }) => component);
    const { facts } = exampleInput();
    const terms = facts.terms.map((each) => ({ ...each, components: components.map(({ code }) => ({ code })) }));
    const payslipOfRun = calculatePayslip(exampleInput({ facts: { components, terms } }));
    expect([payslipOfRun.gross, payslipOfRun.total_deductions, payslipOfRun.net, payslipOfRun.employer_cost]).toEqual([
      '4553.02',
      '1604.55',
      '2948.47',
      '772.07',
    ]);
    expect(payslipOfRun.taxable).toBe('3714.15');
  });
});
