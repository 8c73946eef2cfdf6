/** The kinds of suites that test files share. */
import { services } from '@suite/local/processes';
import { stripeSettings } from '../payments/stripe.ts';
import type { SuiteOptions } from './start-in.ts';

/**
 * The start options of each kind, by the port on which a test file may start the fake payment provider. The last kind runs
 * first (jest/sequencer.ts).
 */
export const kinds = {
  /** A single replica of each service, without payments. */
  plain: () => ({}),
  /** For workspaces that platform does not have: the auditor would report their copies to other test files. */
  modelled: () => ({}),
  /** A single replica of each service, with the demo workspaces. */
  demo: () => ({ demo: true }),
  /** Uses the payment provider. */
  selling: (stripe_port) => ({ environment: stripeSettings(stripe_port) }),
  /** Uses the payment provider and two replicas of each service. */
  doubled: (stripe_port) => ({
    environment: stripeSettings(stripe_port),
    replicas: Object.fromEntries(services.map(({ name }) => [name, 2])),
  }),
} satisfies Record<string, (stripe_port: number) => SuiteOptions>;

export type ProcessKind = keyof typeof kinds;

/** Returns the kind of suite that a test file shares, read from its source; `undefined` if it shares none. */
export function suiteKindOf(source: string): ProcessKind | undefined {
  const [, asked] = /await useSharedSuite\((?:'(\w+)')?\)/.exec(source) ?? [];
  if (asked !== undefined) return asked as ProcessKind;
  return source.includes('await useSharedSuite()') ? 'plain' : undefined;
}

/** Returns true if a test file needs a suite, based on its source. */
export const needsSuite = (source: string): boolean =>
  source.includes('await startSuiteForFile(') || suiteKindOf(source) !== undefined;
