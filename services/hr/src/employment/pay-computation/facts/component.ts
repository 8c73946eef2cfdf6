/** Salary components: earnings, deductions and employer contributions, and their order of calculation. */
import { FormulaError } from '../formula/syntax.ts';
import { formulaOf } from '../formula/formula.ts';

/** A bracket of a base. @property to the upper limit. Null or absent if open @property rate percent */
export interface Slab {
  readonly from: string;
  readonly to?: string | null;
  readonly rate: string;
}

/** Calculation of a part of a salary. Amounts and percentages are decimal strings: `9.3` is 9.3 %. */
export interface PayComponent {
  readonly code: string;
  readonly name: string;
  readonly kind: 'earning' | 'deduction' | 'employer';
  readonly calc: 'fixed' | 'percent_of_basic' | 'formula' | 'slab';
  /** Order of calculation within a phase. */
  readonly position: number;
  readonly taxable: boolean;
  /** True if it is paid for paid days only. */
  readonly prorated: boolean;
  readonly amount?: string | null;
  readonly percent?: string | null;
  readonly formula?: string | null;
  readonly slabs?: readonly Slab[] | null;
  /** Monthly maximum of the base. Null or absent for none. */
  readonly ceiling?: string | null;
  /**
   * Codes of the components whose amounts form the base. Defaults to the earned basic salary, or to the taxable amount
   * for a tax.
   */
  readonly base: readonly string[];
  /** Deducted before the tax and not taxed. */
  readonly pre_tax: boolean;
  /** Paid only in runs that specify it. */
  readonly one_off: boolean;
  /** Slabs apply to the earnings of the whole tax year. */
  readonly annual: boolean;
}

/** The phases of a payslip, in order. `recovery` has no components. */
const phases = ['earning', 'contribution', 'tax', 'after_tax'] as const;
export type ComponentPhase = (typeof phases)[number];

/**
 * Returns the phase in which a component is calculated. A deduction by slabs is a tax unless it is deducted before the
 * tax.
 */
export function phaseOf({ kind, pre_tax, calc }: Pick<PayComponent, 'kind' | 'pre_tax' | 'calc'>): ComponentPhase {
  if (kind === 'earning') return 'earning';
  if (kind === 'employer' || pre_tax) return 'contribution';
  return calc === 'slab' ? 'tax' : 'after_tax';
}

const byCode = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Sorts components by their order of calculation. */
export const sortByPhase = <T extends PayComponent>(components: readonly T[]): T[] =>
  components.toSorted(
    (one, other) =>
      phases.indexOf(phaseOf(one)) - phases.indexOf(phaseOf(other)) ||
      one.position - other.position ||
      byCode(one.code, other.code),
  );

/** Values of every payslip, by the first phase whose formulas can use them. */
const VALUE_NAMES: Readonly<Record<ComponentPhase, readonly string[]>> = {
  earning: [
    'basic',
    'basic_full',
    'overtime',
    'working_days',
    'payment_days',
    'hours',
    'overtime_hours',
    'leave_encashment',
    'leave_owed',
    'age',
    'service_years',
  ],
  contribution: ['gross'],
  tax: ['taxable'],
  after_tax: [],
};
/** Names of the values that a formula may use, in addition to the codes of components. */
export const figures: readonly string[] = Object.values(VALUE_NAMES).flat();
/** Codes of lines without a component. */
const LINES = ['loan', 'recovery', 'carried_over', 'net'];

/** Codes that no component may use. */
export const reservedCodes: ReadonlySet<string> = new Set([
  ...figures,
  ...LINES,
  'min',
  'max',
  'round',
  'floor',
  'ceil',
  'if',
  'true',
  'false',
  'null',
  'this',
]);

/** Returns the values that a formula of a phase can use. */
const valueNamesOf = (phase: ComponentPhase): readonly string[] =>
  phases.slice(0, phases.indexOf(phase) + 1).flatMap((each) => VALUE_NAMES[each]);

interface ComponentReference {
  readonly name: string;
  readonly field: 'formula' | 'base';
  readonly position: number;
}

/** Returns the names that a component refers to. @throws FormulaError if its formula cannot be parsed */
function referencesOf({ calc, formula, base }: PayComponent): ComponentReference[] {
  const references = base.map((name, position) => ({ name, field: 'base' as const, position }));
  if (calc !== 'formula') return references;
  return formulaOf(formula ?? '').mentions.map((mention) => ({ ...mention, field: 'formula' as const }));
}

/**
 * A component that cannot be calculated. @property position of the character in the formula, or of the code in `base`
 */
export interface ComponentFault {
  readonly code: string;
  readonly field: 'formula' | 'base';
  readonly position: number;
  readonly message: string;
}

/** The order of calculation, and the references between components. */
interface CalculationPlan {
  /** The position of each code in the order of calculation. */
  readonly places: ReadonlyMap<string, number>;
  /** Returns true if one code refers to another, directly or through others. */
  reaches(from: string, to: string): boolean;
}

function planOf(ordered: readonly PayComponent[]): CalculationPlan {
  const links = new Map<string, ReadonlySet<string>>();
  const linksOf = (code: string): ReadonlySet<string> => {
    const known = links.get(code) ?? new Set(namesOf(ordered[places.get(code) ?? -1]));
    links.set(code, known);
    return known;
  };
  const reached = new Map<string, ReadonlySet<string>>();
  const places = new Map(ordered.map(({ code }, place) => [code, place]));
  return {
    places,
    reaches(from, to) {
      const found = reached.get(from) ?? codesReachedFrom(from, linksOf);
      reached.set(from, found);
      return found.has(to);
    },
  };
}

/** Returns the codes that a code refers to, directly or through others. */
function codesReachedFrom(from: string, linksOf: (code: string) => ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const open = [...linksOf(from)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...linksOf(next));
  }
  return found;
}

/** Returns the names that a component refers to. An invalid formula is reported with its own component. */
function namesOf(component: PayComponent | undefined): string[] {
  try {
    return component ? referencesOf(component).map(({ name }) => name) : [];
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    return [];
  }
}

/** Returns the reason why a component may not refer to a name, or undefined if it may. */
function reasonAgainst(
  component: PayComponent,
  name: string,
  { places, reaches }: CalculationPlan,
): string | undefined {
  const phase = phaseOf(component);
  if (valueNamesOf(phase).includes(name)) return undefined;
  if (valueNamesOf('after_tax').includes(name)) return `${name} is known only after ${component.code} was computed.`;
  const target = places.get(name);
  if (target === undefined) return `Unknown name: ${name}.`;
  if (target < places.get(component.code)!) return undefined;
  if (name === component.code || reaches(name, component.code))
    return `${component.code} and ${name} go round in a circle.`;
  return `${name} is computed after ${component.code}.`;
}

/** Returns the first fault of a component. One is enough to reject it. */
function faultOf(component: PayComponent, plan: CalculationPlan): ComponentFault | undefined {
  try {
    for (const { name, field, position } of referencesOf(component)) {
      const message = reasonAgainst(component, name, plan);
      if (message) return { code: component.code, field, position, message };
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    return { code: component.code, field: 'formula', position: error.position, message: error.message };
  }
}

/**
 * Checks that each component refers only to earlier ones in the order of calculation. Returns the first fault of each,
 * in that order. The work grows with the number of references.
 */
export function faultsIn(components: readonly PayComponent[]): ComponentFault[] {
  const ordered = sortByPhase(components);
  const plan = planOf(ordered);
  return ordered.flatMap((component) => faultOf(component, plan) ?? []);
}
