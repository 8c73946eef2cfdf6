/** Payroll packs: sets of salary components, ready to install and adapt. */
import { can, ok } from '@suite/chassis/operations';
import { z } from 'zod';
import { command, query } from '../../operations.ts';
import { FormulaInvalid } from '../../employment/salary-components/component.rules.ts';
import { showComponent } from '../../employment/salary-components/component.view.ts';
import { InstalledPack, PackChoice, PayrollPack } from './pack.schema.ts';
import { installPack, listPacks } from './pack.ts';

const ADDITION =
  'A payslip is computed from components, component packs and loans: without these, pay could not be defined.';

export const list = query('GET /api/payroll-packs', {
  summary: 'List payroll packs',
  description:
    'Returns ready-made sets of salary components, for example of a country. `taken` marks components whose code already exists.',
  addition: ADDITION,
  access: can('salary_component.view'),
  reply: ok(z.array(PayrollPack)),
  handle: ({ db }) => listPacks(db),
});

export const install = command('POST /api/payroll-pack/install', {
  summary: 'Install a payroll pack',
  description:
    'Creates the salary components of a payroll pack. Components whose code exists are skipped and returned in `skipped`. Payslips use them once a salary includes them.',
  addition: ADDITION,
  access: can('salary_component.update'),
  body: PackChoice,
  reply: ok(InstalledPack),
  faults: [FormulaInvalid],
  async handle({ db, caller, body }) {
    const { ids, skipped } = await installPack(db, caller, body.code);
    const installed: Awaited<ReturnType<typeof showComponent>>[] = [];
    for (const id of ids) installed.push(await showComponent(db, caller, id));
    return { installed, skipped };
  },
});
