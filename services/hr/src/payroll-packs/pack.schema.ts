import { choice, input } from '@suite/chassis';
import { z } from 'zod';
import { SalaryComponent, SalaryComponentInput } from '../salary-components/component.schema.ts';

/** The codes of the packs that there are: each is a file of `packs`. */
export const PACKS = ['flat', 'progressive'] as const;

/** A pack, as its file holds it. */
export const PackFile = input({
  code: choice(...PACKS),
  name: z.string(),
  description: z.string(),
  components: z.array(SalaryComponentInput),
});

const { code, name, kind, calc } = SalaryComponent.shape;

/** Components that are installed together. */
export const PayrollPack = z
  .object({
    code: choice(...PACKS),
    name: z.string(),
    description: z.string(),
    components: z.array(
      z.object({ code, name, kind, calc, taken: z.boolean().describe('Whether a component has this code already.') }),
    ),
  })
  .meta({ id: 'PayrollPack' });

export const PackChoice = input({ code: choice(...PACKS) });

/** The outcome of an installation. */
export const InstalledPack = z
  .object({
    installed: z.array(SalaryComponent.omit({ versions: true })),
    skipped: z.array(z.string()).describe('Codes that already existed. These components are unchanged.'),
  })
  .meta({ id: 'InstalledPack' });

export type PackCode = (typeof PACKS)[number];
