/** Generates the document of the IDs that services store of each other's records. */
import { type Reference, type Service } from '@suite/chassis/declarations';

/** Returns the check of bodies that refer to such records. */
function checkOf({ usable, checked_by }: Reference): string {
  if (usable) return 'checked before the operation prepares';
  if (typeof checked_by === 'string') return checked_by;
  return `checked by ${checked_by.map(({ name }) => name).join(', ')}`;
}

/** Returns one block per kind of record: the operation that deletes it, and each column that stores its ID. */
export function referencesText(services: readonly Service[]): string {
  const all = services.flatMap(({ name, references = [] }) =>
    references.map((reference) => ({ service: name, ...reference })),
  );
  const owns = services.flatMap((service) => service.owns ?? []);
  const blocks = [...Map.groupBy(all, ({ noun }) => noun)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([noun, references]) => {
      const owner = owns.find((kind) => kind.noun === noun);
      const lines = references.flatMap((reference) => [
        ...Object.entries(reference.columns).flatMap(([table, columns]) =>
          [columns].flat().map((column) => `  ${reference.service}.${table}.${column}`),
        ),
        `    ${checkOf(reference)}`,
        ...(reference.released === undefined ? [] : [`    ${reference.released}`]),
      ]);
      return [owner ? `${noun}: not deleted while one of these refers to it` : noun, ...lines].join('\n');
    });
  return [
    '# Written by "npm run generate": the columns that store IDs of other services\' records, by kind of record.',
    ...blocks,
    '',
  ].join('\n\n');
}
