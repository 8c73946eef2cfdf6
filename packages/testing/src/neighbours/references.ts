/** Stands in for the other services that store IDs of a service's records, when it deletes one. */
import { Fault } from '@suite/chassis';
import { ReferenceServiceDefinition } from '@suite/proto/references/v1/references';
import { standIn } from './stand-in.ts';

/** The records that others use, by their IDs: how many records of each kind refer to them. A test adds to it. */
export const usedElsewhere = new Map<string, Record<string, number>>();

/** The names of the services that do not answer. A test adds to it. */
export const silentReferrers = new Set<string>();

/** Answers for the service of this name that it refers to the records in `usedElsewhere`. */
export const referencesOf = (name: string) =>
  standIn(ReferenceServiceDefinition, {
    async beginDeletion({ record_id }) {
      if (silentReferrers.has(name)) throw new Fault(503, `${name}_unavailable`, 'This service does not answer.');
      const uses = Object.entries(usedElsewhere.get(record_id) ?? {});
      return { used: usedElsewhere.has(record_id), counts: uses.map(([records, count]) => ({ records, count })) };
    },
    endDeletion: async () => ({}),
  });
