/** Context for the demo of a workspace. */
import type { Caller } from '@suite/chassis/identity';
import { daysFrom } from '@suite/demo';
import type { CommandContext } from '../operations.ts';

/** Bookkeeper and date of the demo. */
export interface DemoContext {
  command: CommandContext & { caller: Caller };
  now: Date;
}

/** Returns the date a number of days ago. */
export const daysAgo = ({ now }: DemoContext, days: number): string => daysFrom(now, -days).toISOString().slice(0, 10);
