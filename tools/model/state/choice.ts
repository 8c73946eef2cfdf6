/** The choice of the record that an operation is tried on. */
import { pick } from './model.ts';

/** A choice by any number, mostly from the records that suit the operation. */
export interface Choice {
  any: number;
  anywhere: boolean;
}

/** Chooses a suitable record, and rarely any record. */
export const choose = <T>(all: readonly T[], { any, anywhere }: Choice, suits: (one: T) => boolean): T | undefined =>
  pick(anywhere ? all : all.filter(suits), any);
