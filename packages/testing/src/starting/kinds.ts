/** The kinds of suites that test files share. */
import { services } from '@suite/local/processes';
import { stripeSettings } from '../payments/stripe.ts';
import type { Wishes } from './start-in.ts';

/** The wishes behind each kind, by the port on which a test file may start the payment provider. */
export const kinds = {
  /** One of each service, and nobody who takes money. */
  plain: () => ({}),
  /** Sells through the provider. */
  selling: (stripe_port) => ({ environment: stripeSettings(stripe_port) }),
  /** Sells likewise, and has two replicas of each service. */
  doubled: (stripe_port) => ({
    environment: stripeSettings(stripe_port),
    replicas: Object.fromEntries(services.map(({ name }) => [name, 2])),
  }),
} satisfies Record<string, (stripe_port: number) => Wishes>;

export type Kind = keyof typeof kinds;

/** The kind of suite that a test file shares, read from its source; undefined where it shares none. */
export function sharedBy(source: string): Kind | undefined {
  const [, asked] = /await sharedSuite\((?:'(\w+)')?\)/.exec(source) ?? [];
  if (asked !== undefined) return asked as Kind;
  return source.includes('await sharedSuite()') ? 'plain' : undefined;
}

/** Whether a test file needs a suite, read from its source. */
export const needsSuite = (source: string): boolean =>
  source.includes('await startedSuite(') || sharedBy(source) !== undefined;
