import { choice, input } from '@suite/chassis/fields';
import { z } from 'zod';
import { SalaryComponent, SalaryComponentInput } from '../../employment/salary-components/component.schema.ts';

/** Codes of the available packs. Each has a file in `packs`. */
export const PACKS = ['flat', 'progressive'] as const;

/** Payroll pack as stored in its file. */
export const PackFile = input({
  code: choice(...PACKS),
  name: z.string(),
  description: z.string(),
  components: z.array(SalaryComponentInput),
});

const { code, name, kind, calc } = SalaryComponent.shape;

/** Set of salary components that are installed together. */
export const PayrollPack = z
  .object({
    code: choice(...PACKS),
    name: z.string(),
    description: z.string(),
    components: z.array(
      z.object({ code, name, kind, calc, taken: z.boolean().describe('Whether a component already has this code.') }),
    ),
  })
  .meta({ id: 'PayrollPack' });

export const PackChoice = input({ code: choice(...PACKS) });

/** Result of an installation. */
export const InstalledPack = z
  .object({
    installed: z.array(SalaryComponent.omit({ versions: true })),
    skipped: z.array(z.string()).describe('Codes that already existed. These components are unchanged.'),
  })
  .meta({ id: 'InstalledPack' });

export type PackCode = (typeof PACKS)[number];
