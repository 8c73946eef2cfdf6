import { InUse } from '@suite/chassis';

/** Refuses to let go of what others build on. @param held how many of each kind do @throws InUse */
export function assertUnused(held: Record<string, number>): void {
  if (Object.values(held).some((count) => count > 0)) throw InUse(held);
}
