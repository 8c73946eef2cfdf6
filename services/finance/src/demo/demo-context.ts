/** The context in which a workspace's demo is made. */
import type { Caller } from '@suite/chassis';
import { daysFrom } from '@suite/demo';
import type { CommandContext } from '../operations.ts';

/** The bookkeeper and the date of the demo. */
export interface DemoContext {
  work: CommandContext & { caller: Caller };
  now: Date;
}

/** The day so many days before now. */
export const daysAgo = ({ now }: DemoContext, days: number): string => daysFrom(now, -days).toISOString().slice(0, 10);
