/** Functions that a test calls in worker threads. */
import { fault } from '@suite/chassis/faults';

const RefusedError = fault(422, 'refused', 'This input is rejected.');

export const double = (value: number): number => value * 2;

export const environment = (): string[] => Object.keys(process.env);

export const refuse = (): never => {
  throw RefusedError({ reason: 'test' });
};

export const fail = (): never => {
  throw new TypeError('a bug');
};

/** Does not return. */
export const loop = (): never => {
  for (;;);
};

/** Runs a regular expression with exponential backtracking. */
export const backtrack = (): boolean => /^(a+)+$/.test(`${'a'.repeat(60)}b`);

export const fill = (): never => {
  const held: string[][] = [];
  for (;;) held.push(Array.from({ length: 10_000 }, (_, at) => `text ${at}`));
};

/** Neither computes nor settles. */
export const wait = (): Promise<never> => new Promise(() => undefined);

export const end = (): never => process.exit(1);
