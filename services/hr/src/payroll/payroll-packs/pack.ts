/** Payroll packs: predefined salary components that a workspace can start with and change. */
import { readFileSync } from 'node:fs';
import type { Caller } from '@suite/chassis/identity';
import type { Db } from '../../operations.ts';
import { createComponents, lockComponents } from '../../employment/salary-components/component-changes.ts';
import { PackFile, type PackCode, PACKS } from './pack.schema.ts';

const readPack = (code: PackCode) =>
  PackFile.parse(JSON.parse(readFileSync(new URL(`./packs/${code}.json`, import.meta.url), 'utf8')));

/** All packs, in list order. */
export const packs = PACKS.map(readPack);

async function codesTaken(db: Db): Promise<Set<string>> {
  const components = await db.salaryComponent.findMany({ select: { code: true } });
  return new Set(components.map(({ code }) => code));
}

/** Lists the packs and, by code, which of their components already exist. */
export async function listPacks(db: Db) {
  const existingCodes = await codesTaken(db);
  return packs.map(({ components, ...pack }) => ({
    ...pack,
    components: components.map(({ code, name, kind, calc }) => ({
      code,
      name,
      kind,
      calc,
      taken: existingCodes.has(code),
    })),
  }));
}

/**
 * Installs the missing components of a pack. @returns the IDs of new components, and the codes that already existed
 * @throws FormulaInvalid if an existing component differs from the one that the pack calculates with
 */
export async function installPack(db: Db, caller: Pick<Caller, 'timezone'>, code: PackCode) {
  const { components } = packs.find((pack) => pack.code === code)!;
  await lockComponents(db);
  const existingCodes = await codesTaken(db);
  const isExistingCode = (component: { code: string }): boolean => existingCodes.has(component.code);
  const ids = await createComponents(
    db,
    caller,
    components.filter((component) => !isExistingCode(component)),
  );
  return { ids, skipped: components.filter(isExistingCode).map((component) => component.code) };
}
