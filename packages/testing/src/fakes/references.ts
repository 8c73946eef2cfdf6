/** Fake of the other services that store IDs of a service's records, for deletions. */
import { Fault } from '@suite/chassis/faults';
import { ReferenceServiceDefinition } from '@suite/proto/references/v1/references';
import { fakeServer } from './fake-server.ts';

/** Records that other services use, by ID: the number of referring records of each kind. Tests add entries. */
export const fakeUses = new Map<string, Record<string, number>>();

/** Names of the services that do not respond. Tests add entries. */
export const silentReferrers = new Set<string>();

/** Returns the fake reference methods of a service, which refers to the records in `fakeUses`. */
export const referencesOf = (name: string) =>
  fakeServer(ReferenceServiceDefinition, {
    async beginDeletion({ record_id }) {
      if (silentReferrers.has(name)) throw new Fault(503, `${name}_unavailable`, 'This service is unavailable.');
      const uses = Object.entries(fakeUses.get(record_id) ?? {});
      return { used: fakeUses.has(record_id), counts: uses.map(([records, count]) => ({ records, count })) };
    },
    endDeletion: async () => ({}),
  });
