/** Components of a salary: what is paid, what is kept back, what the employer pays on top, and in which order they are computed. */
import { FormulaInvalid } from '../formula/syntax.ts';
import { formulaOf } from '../formula/formula.ts';

/** A bracket of a base. @property to where it ends, open where there is none @property rate percent */
export interface Slab {
  readonly from: string;
  readonly to?: string | null;
  readonly rate: string;
}

/** How a part of a salary is computed. Amounts and percents are decimal strings: `9.3` is 9.3 %. */
export interface Component {
  readonly code: string;
  readonly name: string;
  readonly kind: 'earning' | 'deduction' | 'employer';
  readonly calc: 'fixed' | 'percent_of_basic' | 'formula' | 'slab';
  /** Those of a phase are computed in the order of their positions. */
  readonly position: number;
  readonly taxable: boolean;
  /** Whether it is paid for the days that are paid only. */
  readonly prorated: boolean;
  readonly amount?: string | null;
  readonly percent?: string | null;
  readonly formula?: string | null;
  readonly slabs?: readonly Slab[] | null;
  /** The most of its base that counts in a month. */
  readonly ceiling?: string | null;
  /** Codes whose amounts are its base. Without any it is the earned basic, of a tax what is taxable. */
  readonly base: readonly string[];
  /** Taken before the tax, and not taxed. */
  readonly pre_tax: boolean;
  /** Paid only where a run names it. */
  readonly one_off: boolean;
  /** Slabs over what is earned in the whole tax year. */
  readonly annual: boolean;
}

/** The phases of a payslip in their order; `recovery` has no components. */
const phases = ['earning', 'contribution', 'tax', 'after_tax'] as const;
export type Phase = (typeof phases)[number];

/** The phase in which a component is computed. A deduction by slabs that is not taken before the tax is a tax. */
export function phaseOf({ kind, pre_tax, calc }: Pick<Component, 'kind' | 'pre_tax' | 'calc'>): Phase {
  if (kind === 'earning') return 'earning';
  if (kind === 'employer' || pre_tax) return 'contribution';
  return calc === 'slab' ? 'tax' : 'after_tax';
}

const byCode = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Sorts components into the order in which they are computed. */
export const inOrderOfComputing = <T extends Component>(components: readonly T[]): T[] =>
  components.toSorted(
    (one, other) =>
      phases.indexOf(phaseOf(one)) - phases.indexOf(phaseOf(other)) ||
      one.position - other.position ||
      byCode(one.code, other.code),
  );

/** Figures of every payslip, by the phase from which on a formula sees them. */
const FIGURES: Readonly<Record<Phase, readonly string[]>> = {
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
/** The names of the figures that a formula may see, beside the codes of components. */
export const figures: readonly string[] = Object.values(FIGURES).flat();
/** Codes of lines that no component makes. */
const LINES = ['loan', 'recovery', 'carried_over', 'net'];

/** The names that no component may have for its code. */
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

/** The figures that a formula of a phase sees. */
const figuresOf = (phase: Phase): readonly string[] =>
  phases.slice(0, phases.indexOf(phase) + 1).flatMap((each) => FIGURES[each]);

interface Reference {
  readonly name: string;
  readonly field: 'formula' | 'base';
  readonly position: number;
}

/** The names that a component refers to. @throws FormulaInvalid when its formula cannot be read */
function referencesOf({ calc, formula, base }: Component): Reference[] {
  const named = base.map((name, position) => ({ name, field: 'base' as const, position }));
  if (calc !== 'formula') return named;
  return formulaOf(formula ?? '').mentions.map((mention) => ({ ...mention, field: 'formula' as const }));
}

/** A component that cannot be computed. @property position of a formula's character, or of the code in `base` */
export interface ComponentFault {
  readonly code: string;
  readonly field: 'formula' | 'base';
  readonly position: number;
  readonly message: string;
}

/** The order of computing, and the references between components. */
interface Plan {
  /** The place of each code in the order of computing. */
  readonly places: ReadonlyMap<string, number>;
  /** Whether one code refers to another, directly or through others. */
  reaches(from: string, to: string): boolean;
}

function planOf(ordered: readonly Component[]): Plan {
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
      const found = reached.get(from) ?? reachable(from, linksOf);
      reached.set(from, found);
      return found.has(to);
    },
  };
}

/** The codes that one refers to, directly or through others. */
function reachable(from: string, linksOf: (code: string) => ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const open = [...linksOf(from)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...linksOf(next));
  }
  return found;
}

/** The names that a component refers to. A formula that cannot be read is reported with its own component. */
function namesOf(component: Component | undefined): string[] {
  try {
    return component ? referencesOf(component).map(({ name }) => name) : [];
  } catch (error) {
    if (!(error instanceof FormulaInvalid)) throw error;
    return [];
  }
}

/** Why a component may not refer to a name, if it may not. */
function refusal(component: Component, name: string, { places, reaches }: Plan): string | undefined {
  const phase = phaseOf(component);
  if (figuresOf(phase).includes(name)) return undefined;
  if (figuresOf('after_tax').includes(name)) return `${name} is known only after ${component.code} was computed.`;
  const target = places.get(name);
  if (target === undefined) return `There is nothing called ${name}.`;
  if (target < places.get(component.code)!) return undefined;
  if (name === component.code || reaches(name, component.code))
    return `${component.code} and ${name} go round in a circle.`;
  return `${name} is computed after ${component.code}.`;
}

/** The first fault of a component: one at a time is shown, and one is enough to reject it. */
function faultOf(component: Component, plan: Plan): ComponentFault | undefined {
  try {
    for (const { name, field, position } of referencesOf(component)) {
      const message = refusal(component, name, plan);
      if (message) return { code: component.code, field, position, message };
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof FormulaInvalid)) throw error;
    return { code: component.code, field: 'formula', position: error.position, message: error.message };
  }
}

/**
 * Checks that each component refers only to what is computed before it. Returns the first fault of each, in the order of
 * computing. The work grows with the number of references.
 */
export function faultsIn(components: readonly Component[]): ComponentFault[] {
  const ordered = inOrderOfComputing(components);
  const plan = planOf(ordered);
  return ordered.flatMap((component) => faultOf(component, plan) ?? []);
}
