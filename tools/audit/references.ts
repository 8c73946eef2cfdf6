/** The auditor's rules about references between services: every stored ID of another service's record must exist. */
import type { Consequence } from '@suite/auditor';
import { idsIn, placesOf, blockingReferences } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';

/** The kinds of records that cannot be deleted while others refer to them, with their tables. */
const owners = new Map(
  declaredServices.flatMap(({ name: service, owns = [] }) =>
    owns.map(({ noun, table }) => [noun, { service, table }] as const),
  ),
);

/** Rules for each service and each kind of record whose IDs it stores. */
export const references: readonly Consequence[] = declaredServices.flatMap((service) =>
  blockingReferences(service.references ?? []).flatMap((reference): Consequence[] => {
    const { noun } = reference;
    const owner = owners.get(noun);
    if (!owner) return [];
    const stored = placesOf(reference).map(
      (place) => `SELECT given.workspace_id, named::text AS key FROM ${place.table} AS given
        CROSS JOIN LATERAL unnest(${idsIn(place)}) AS named WHERE named IS NOT NULL AND ${place.counted}`,
    );
    if (stored.length === 0) return [];
    return [
      {
        name: `no record of ${service.name} refers to a ${noun} that does not exist`,
        seen: { service: service.name, sql: `SELECT *, 'there' AS value FROM (${stored.join(' UNION ')}) AS stored` },
        before: {
          service: owner.service,
          sql: `SELECT workspace_id, id::text AS key, 'there' AS value FROM ${owner.table}`,
        },
      },
    ];
  }),
);
