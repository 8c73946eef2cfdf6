/** The auditor's rules about copies: each copy of another service's record agrees with the record. */
import type { CopyRule } from '@suite/auditor';
import { type CopiedKind, copiesSql, knownStates, originalsSql } from '@suite/chassis/declarations';
import { declaredServices } from '@suite/testing/declared';
import { recordsInFlight } from './events-in-flight.ts';

/** A rule with the declaration of the copies, for repairs. */
export interface DeclaredCopyRule extends CopyRule {
  copied: CopiedKind;
}

/** The published kinds of records, by noun. */
const published = new Map(
  declaredServices.flatMap(({ name: service, publishes = [] }) =>
    publishes.map((kind) => [kind.noun, { service, kind }] as const),
  ),
);

/**
 * Rules for each declared copy, and for the newest known states of the records that requests copy.
 * @throws if no service publishes the copied records
 */
export const copyRules: readonly DeclaredCopyRule[] = declaredServices.flatMap(({ name: service, copies = [] }) =>
  [...copies, ...knownStates(copies)].map((copied): DeclaredCopyRule => {
    const { noun, table, is_complete, outlives_record = false } = copied;
    const origin = published.get(noun);
    if (!origin) throw new Error(`${service} copies ${noun} to ${table}, but no service publishes ${noun}.`);
    return {
      name: `${table} of ${service} agrees with each ${noun} that it copies`,
      copy: { service, sql: copiesSql(copied) },
      original: { service: origin.service, sql: originalsSql(origin.kind, copied) },
      gone: origin.kind.gone,
      is_complete,
      outlives_record,
      keysInFlight: (databases, keys) => recordsInFlight(databases, { service, publisher: origin.service }, keys),
      copied,
    };
  }),
);
