/** Salary components: earnings, deductions and costs of the employer. */
import { InUse } from '@suite/chassis/faults';
import { DryRun, idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { minorUnits } from '@suite/money';
import { command, query } from '../../operations.ts';
import { assertPayrollAccount } from './component-account.ts';
import { changeComponent, createComponents, removeComponent } from './component-changes.ts';
import { FormulaHasNoValue, FormulaInvalid, evaluateExample, componentActions } from './component.rules.ts';
import {
  FormulaTrial,
  SalaryComponent,
  SalaryComponentChanges,
  SalaryComponentFilter,
  SalaryComponentInput,
  TriedFormula,
} from './component.schema.ts';
import { listComponents, showComponent } from './component.view.ts';

const ADDITION =
  'A payslip is computed from components, component packs and loans: without these, pay could not be defined.';

export const list = query('GET /api/salary-components', {
  summary: 'List salary components',
  description:
    'Returns salary components with the rules of the day `as_of`. Expand `versions` for all past and future rules.',
  addition: ADDITION,
  access: can('salary_component.view'),
  query: SalaryComponentFilter,
  reply: page(SalaryComponent),
  handle: ({ db, caller, query }) => listComponents(db, caller, query),
});

export const create = command('POST /api/salary-component/create', {
  summary: 'Create a salary component',
  description:
    'Creates a salary component with a unique code. Earnings are calculated first, then contributions, taxes and deductions after tax. Within each kind, `position` decides the order. A formula can use components calculated before it.',
  addition: ADDITION,
  access: can('salary_component.update'),
  body: SalaryComponentInput,
  reply: created(SalaryComponent),
  faults: [FormulaInvalid],
  prepare: ({ body, rpc }) => assertPayrollAccount(rpc, body),
  async handle({ db, caller, body }) {
    const [id] = await createComponents(db, caller, [body]);
    return await showComponent(db, caller, id!);
  },
});

export const update = command('POST /api/salary-component/update/{id}', {
  summary: 'Update a salary component',
  description:
    'Updates a component. A component in use changes from `effective_from` on, and earlier payslips keep their rules. Code and kind of a component in use cannot change.',
  addition: ADDITION,
  access: componentActions.can('update'),
  params: { id: idOf('salary_components') },
  query: { dry_run: DryRun },
  body: SalaryComponentChanges,
  reply: ok(SalaryComponent),
  faults: [FormulaInvalid, InUse],
  prepare: ({ body, rpc }) => assertPayrollAccount(rpc, body),
  async handle({ db, caller, params: { id }, body, expect }) {
    await changeComponent(db, caller, id, { patch: body, expect });
    return await showComponent(db, caller, id);
  },
});

export const remove = command('DELETE /api/salary-component/delete/{id}', {
  summary: 'Delete a salary component',
  description:
    'Deletes a salary component. Returns 409 `in_use` if salaries, formulas or payslips use it. Deactivate it instead.',
  addition: ADDITION,
  access: componentActions.can('delete'),
  params: { id: idOf('salary_components') },
  reply: removed,
  faults: [InUse],
  handle: ({ db, params }) => removeComponent(db, params.id),
});

export const check = query('POST /api/salary-component/check', {
  summary: 'Test a payroll formula',
  description:
    'Calculates a formula for an example. Uses exact fractions and rounds at the end, like a payslip. Nothing is saved.',
  addition: ADDITION,
  access: can('salary_component.update'),
  body: FormulaTrial,
  reply: ok(TriedFormula),
  faults: [FormulaInvalid, FormulaHasNoValue],
  async handle({ db, caller, body }) {
    const components = await db.salaryComponent.findMany({ select: { code: true } });
    return evaluateExample(
      body,
      components.map(({ code }) => code),
      minorUnits(caller.currency),
    );
  },
});
