/** Salary components: the parts of a salary, of what is kept back of it, and of what the employer pays on top. */
import { can, created, DryRun, idOf, InUse, ok, page, removed } from '@suite/chassis';
import { minorUnits } from '@suite/money';
import { command, query } from '../operations.ts';
import { askForAccount } from './component-account.ts';
import { changeComponent, createComponents, removeComponent } from './component-changes.ts';
import { FormulaHasNoValue, FormulaInvalid, tried } from './component.rules.ts';
import {
  FormulaTrial,
  SalaryComponent,
  SalaryComponentChanges,
  SalaryComponentFilter,
  SalaryComponentInput,
  TriedFormula,
} from './component.schema.ts';
import { listComponents, showComponent } from './component.view.ts';

export const list = query('GET /api/salary-components', {
  summary: 'List salary components',
  description:
    '`as_of` shows them as they are computed on that day; `expand=versions` all that they were and are going to be.',
  access: can('salary_component.view'),
  query: SalaryComponentFilter,
  reply: page(SalaryComponent),
  handle: ({ db, caller, query }) => listComponents(db, caller, query),
});

export const create = command('POST /api/salary-component/create', {
  summary: 'Create a salary component',
  description:
    'A code is taken once. Earnings are computed first, then contributions, taxes, and what is kept back after the tax, each by their positions; a formula sees what is computed before it.',
  access: can('salary_component.update'),
  body: SalaryComponentInput,
  reply: created(SalaryComponent),
  faults: [FormulaInvalid],
  prepare: ({ body, rpc }) => askForAccount(rpc, body),
  async handle({ db, caller, body }) {
    const [id] = await createComponents(db, caller, [body]);
    return await showComponent(db, caller, id!);
  },
});

export const update = command('POST /api/salary-component/update/{id}', {
  summary: 'Update a salary component',
  description:
    'One that somebody has is computed otherwise from `effective_from` on: payslips of earlier days keep what they were computed by. Its code and its kind stay.',
  access: can('salary_component.update'),
  params: { id: idOf('salary_components') },
  query: { dry_run: DryRun },
  body: SalaryComponentChanges,
  reply: ok(SalaryComponent),
  faults: [FormulaInvalid, InUse],
  prepare: ({ body, rpc }) => askForAccount(rpc, body),
  async handle({ db, caller, params: { id }, body, expect }) {
    await changeComponent(db, caller, id, { patch: body, expect });
    return await showComponent(db, caller, id);
  },
});

export const remove = command('DELETE /api/salary-component/delete/{id}', {
  summary: 'Delete a salary component',
  description: 'One that is in use stays; it can be made inactive.',
  access: can('salary_component.update'),
  params: { id: idOf('salary_components') },
  reply: removed,
  faults: [InUse],
  handle: ({ db, params }) => removeComponent(db, params.id),
});

export const check = query('POST /api/salary-component/check', {
  summary: 'Test a payroll formula',
  description:
    'It is computed for an example, in exact quotients, and rounded at the end, as on a payslip. Nothing is saved.',
  access: can('salary_component.update'),
  body: FormulaTrial,
  reply: ok(TriedFormula),
  faults: [FormulaInvalid, FormulaHasNoValue],
  async handle({ db, caller, body }) {
    const components = await db.salaryComponent.findMany({ select: { code: true } });
    return tried(
      body,
      components.map(({ code }) => code),
      minorUnits(caller.currency),
    );
  },
});
