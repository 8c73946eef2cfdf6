import { randomUUIDv7 } from 'node:crypto';

let lastId = '';

const successor = (id: string): string =>
  id.slice(0, 24) + (Number.parseInt(id.slice(24), 16) + 1).toString(16).padStart(12, '0');

/**
 * Returns a UUID of version 7 that sorts after every earlier one of this process. The rows of a history therefore keep
 * the order of writing. `randomUUIDv7` leaves the order within one millisecond to chance.
 */
export function orderedId(): string {
  const id = randomUUIDv7();
  lastId = id > lastId ? id : successor(lastId);
  return lastId;
}
