/** What the demo of a workspace works with. */
import type { Caller } from '@suite/chassis';
import { daysFrom } from '@suite/demo';
import type { Work } from '../operations.ts';

/** Whoever keeps the books, and when it is. */
export interface Scene {
  work: Work & { caller: Caller };
  now: Date;
}

/** The day so many days before now. */
export const daysAgo = ({ now }: Scene, days: number): string => daysFrom(now, -days).toISOString().slice(0, 10);
