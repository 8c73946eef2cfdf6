import { randomUUIDv7 } from 'node:crypto';

let last = '';

const successor = (id: string): string =>
  id.slice(0, 24) + (Number.parseInt(id.slice(24), 16) + 1).toString(16).padStart(12, '0');

/**
 * A UUID of version 7 that comes after every one that this process has made before: rows of a history stand in the order in
 * which they were written, also those of one millisecond, which `randomUUIDv7` leaves to chance.
 */
export function orderedId(): string {
  const id = randomUUIDv7();
  last = id > last ? id : successor(last);
  return last;
}
