/** Packs: components as data, so that a workspace begins with what is usual and goes on from there. */
import { readFileSync } from 'node:fs';
import type { Caller } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { createComponents, lockComponents } from '../salary-components/component-changes.ts';
import { PackFile, type PackCode, PACKS } from './pack.schema.ts';

const read = (code: PackCode) =>
  PackFile.parse(JSON.parse(readFileSync(new URL(`./packs/${code}.json`, import.meta.url), 'utf8')));

/** All packs, in the order in which they are listed. */
export const packs = PACKS.map(read);

async function codesTaken(db: Db): Promise<Set<string>> {
  const components = await db.salaryComponent.findMany({ select: { code: true } });
  return new Set(components.map(({ code }) => code));
}

/** The packs, and which of their components are there already by their codes. */
export async function listPacks(db: Db) {
  const taken = await codesTaken(db);
  return packs.map(({ components, ...pack }) => ({
    ...pack,
    components: components.map(({ code, name, kind, calc }) => ({ code, name, kind, calc, taken: taken.has(code) })),
  }));
}

/**
 * Installs what a workspace has not got of a pack. @returns the ids of what is new, and the codes that were taken
 * @throws FormulaInvalid where a component of a taken code is another one than the pack computes by
 */
export async function installPack(db: Db, caller: Pick<Caller, 'timezone'>, code: PackCode) {
  const { components } = packs.find((pack) => pack.code === code)!;
  await lockComponents(db);
  const taken = await codesTaken(db);
  const isTaken = (component: { code: string }): boolean => taken.has(component.code);
  const ids = await createComponents(
    db,
    caller,
    components.filter((component) => !isTaken(component)),
  );
  return { ids, skipped: components.filter(isTaken).map((component) => component.code) };
}
