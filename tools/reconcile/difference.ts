/** A difference between two services, and its repair. */
import type { Databases } from '@suite/auditor';

/** The tools of a repair. */
export interface RepairContext {
  databases: Databases;
  /** Longest time that services may take for a repair of their own. */
  wait_ms: number;
  /** Prints a line. */
  say(line: string): void;
}

/** A repair of several differences, which may share a database or a service. */
export interface Repair {
  /** Repairs with a lower order come first. */
  order: number;
  /** Makes the repair, and prints each action. Repeating a repair has no further effect. */
  run(context: RepairContext): Promise<void>;
}

/** Differences of one rule. */
export interface Finding {
  /** The rule that the rows violate. */
  rule: string;
  /** One text for each difference. */
  rows: readonly string[];
  /** The action of an operator for the rows that are not repaired. */
  advice: string;
  repair?: Repair | undefined;
}
