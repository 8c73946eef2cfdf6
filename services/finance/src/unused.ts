import { InUse } from '@suite/chassis';

/** Refuses the deletion of a record that others refer to. @param held how many of each kind do @throws InUse */
export function assertUnused(held: Record<string, number>): void {
  if (Object.values(held).some((count) => count > 0)) throw InUse(held);
}
