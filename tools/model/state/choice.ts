/** Which of several something is tried on. */
import { pick } from './model.ts';

/** Which of all, by any number: mostly one of those for which it makes sense. */
export interface Choice {
  any: number;
  anywhere: boolean;
}

/** Chooses one for which it makes sense; rarely any one. */
export const choose = <T>(all: readonly T[], { any, anywhere }: Choice, suits: (one: T) => boolean): T | undefined =>
  pick(anywhere ? all : all.filter(suits), any);
