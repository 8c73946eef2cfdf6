/** What the demo of a workspace works with. */
import type { Caller } from '@suite/chassis';
import { daysFrom } from '@suite/demo';
import type { CommandContext } from '../operations.ts';

/** Whoever keeps the books, and when it is. */
export interface DemoContext {
  work: CommandContext & { caller: Caller };
  now: Date;
}

/** The day so many days before now. */
export const daysAgo = ({ now }: DemoContext, days: number): string => daysFrom(now, -days).toISOString().slice(0, 10);
