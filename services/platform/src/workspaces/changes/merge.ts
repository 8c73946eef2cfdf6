/** Merges new changes of several services by time. The changes of each service keep their order. */
import type { FeedPlace, ListNewChangesResponse, NewChange } from '@suite/proto/records/v1/records';
import type { RecordServiceName } from '../../operations.ts';

/** The next changes of a service. */
export interface Batch extends ListNewChangesResponse {
  service: RecordServiceName;
}

/** A change in the sequence. */
export interface MergedChange extends NewChange {
  service: RecordServiceName;
}

interface Merged {
  changes: MergedChange[];
  /** The places after these changes. A service without a place here keeps its own. */
  places: Partial<Record<RecordServiceName, FeedPlace>>;
  has_more: boolean;
}

/** Returns the changes up to a time, in the order of the service, and the place after them. */
function takeUntil({ changes, next, here }: Batch, end: string): { taken: NewChange[]; place?: FeedPlace | undefined } {
  const first = changes.findIndex(({ at }) => at > end);
  if (first < 0) return { taken: changes, place: next };
  // All changes of a command have the same time.
  const taken = changes.slice(0, first);
  const resume = taken.at(-1)?.position;
  return { taken, place: resume !== undefined && here ? { ...here, resume } : undefined };
}

/** Returns the latest time in a batch. Its last change can have an earlier one, if the clock was set back. */
const endOf = ({ changes, last_at = '' }: Batch): string =>
  changes.reduce((latest, { at }) => (at > latest ? at : latest), last_at);

/**
 * Merges the next changes of services. If a service has more changes, the changes of others after its last one are left for the
 * next time.
 */
export function merge(batches: readonly Batch[]): Merged {
  const end =
    batches
      .filter(({ has_more }) => has_more)
      .map(endOf)
      .toSorted()[0] ?? '9999';
  const keyed: { key: string; change: MergedChange }[] = [];
  const places: Merged['places'] = {};
  for (const batch of batches) {
    const { service } = batch;
    const { taken, place } = takeUntil(batch, end);
    if (place) places[service] = place;
    let key = '';
    for (const change of taken) {
      // A clock that was set back must not change the order within a service.
      if (change.at > key) key = change.at;
      keyed.push({ key, change: { ...change, service } });
    }
  }
  const changes = keyed.toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
  return { changes: changes.map(({ change }) => change), places, has_more: batches.some(({ has_more }) => has_more) };
}
