/** Rules for valid components, without database access. */
import { recordActions } from '@suite/chassis/operations';
import { Fault, fault, invalid } from '@suite/chassis/faults';
import {
  type PayComponent,
  type ComponentFault,
  faultsIn,
  figures,
  phaseOf,
  reservedCodes,
} from '../pay-computation/facts/component.ts';
import { slabFault } from '../pay-computation/facts/slabs.ts';
import { FormulaFailed } from '../pay-computation/formula/evaluate.ts';
import { FormulaError as Unreadable } from '../pay-computation/formula/syntax.ts';
import { namesIn, tryFormula } from '../pay-computation/formula/example.ts';
import type { ComponentTerms } from './component.ts';
import type { SalaryComponentChanges, SalaryComponentInput } from './component.schema.ts';

export const FormulaInvalid = fault(422, 'formula_invalid', 'This formula is not valid. Correct the formula.');
export const FormulaHasNoValue = fault(
  422,
  'formula_failed',
  'The formula has no result for this example. Change the formula or the example.',
);

/** Returns the fault for a component that cannot be calculated, with the position in its formula or base. */
function notComputable(field: string, message: string, details: object): Fault {
  const { status, code } = FormulaInvalid;
  return new Fault(status, code, message, { errors: { [field]: [message] }, details: { ...details, message } });
}

type ComponentName = Pick<PayComponent, 'code' | 'name' | 'kind'>;
type ComponentKind = Pick<PayComponent, 'kind' | 'calc'>;

/** Fields of each calculation type. All other fields are empty. */
const FIELDS: Readonly<Record<PayComponent['calc'], readonly (keyof ComponentTerms)[]>> = {
  fixed: ['amount'],
  percent_of_basic: ['percent', 'base', 'ceiling'],
  formula: ['formula'],
  slab: ['slabs', 'base', 'ceiling', 'annual'],
};
const OF_CALC = [...new Set(Object.values(FIELDS).flat())];

/** Default terms of a component. */
const defaultTermsOf = ({ kind, calc }: ComponentKind): ComponentTerms => ({
  calc,
  position: 0,
  taxable: kind === 'earning',
  prorated: kind === 'earning' && calc !== 'formula',
  amount: null,
  percent: null,
  formula: null,
  slabs: null,
  ceiling: null,
  base: [],
  pre_tax: false,
  one_off: false,
  annual: false,
});

type TermsInput = Partial<Omit<SalaryComponentInput & SalaryComponentChanges, keyof ComponentName>>;

/** Returns the terms among the fields of a request body. */
const termsOfBody = (body: TermsInput): Partial<ComponentTerms> => {
  const { active: _, account_id: __, effective_from: ___, version: ____, slabs, ...terms } = body;
  const brackets = slabs && slabs.map(({ from, to, rate }) => ({ from, to: to ?? null, rate }));
  const written = { ...terms, ...(slabs !== undefined && { slabs: brackets }) };
  return Object.fromEntries(
    Object.entries(written).filter(
      ([name, value]) => value !== undefined && name in defaultTermsOf({ kind: 'earning', calc: 'fixed' }),
    ),
  );
};

/** Checks if a body contains any terms of a component. */
export const hasTerms = (body: TermsInput): boolean => Object.keys(termsOfBody(body)).length > 0;

/** Returns the terms of a new component. @param position default position */
export const newTerms = (kinds: ComponentKind, body: TermsInput, position: number): ComponentTerms => ({
  ...defaultTermsOf(kinds),
  position,
  ...termsOfBody(body),
});

/** Applies the changes of a request body to terms. A new calculation type clears the fields of the previous type. */
export function changedTerms(before: ComponentTerms, kinds: ComponentKind, body: TermsInput): ComponentTerms {
  const changes = termsOfBody(body);
  const fresh = defaultTermsOf(kinds);
  const emptied = OF_CALC.filter((name) => !FIELDS[kinds.calc].includes(name)).map((name) => [name, fresh[name]]);
  const isOther = kinds.calc !== before.calc;
  return { ...before, ...(isOther && Object.fromEntries(emptied)), ...changes, calc: kinds.calc };
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0);

/** Rejects inconsistent fields. @throws a 422 fault that names the field */
function assertFits(component: PayComponent): void {
  const { kind, calc, formula, slabs, annual, pre_tax, one_off, prorated } = component;
  const stray = OF_CALC.find((name) => !FIELDS[calc].includes(name) && !isEmpty(component[name]));
  if (stray) throw invalid(stray, `Omit this field for components with the calculation ${calc}.`);
  if (calc === 'formula' && !formula) throw invalid('formula', 'Enter a formula.');
  if (calc === 'slab' && isEmpty(slabs)) throw invalid('slabs', 'Enter at least one bracket.');
  const wrong = slabs ? slabFault(slabs) : undefined;
  if (wrong) throw invalid(`slabs.${wrong.at}`, wrong.message);
  if (pre_tax && kind !== 'deduction') throw invalid('pre_tax', 'Only deductions can be deducted before tax.');
  if (annual && phaseOf(component) !== 'tax') throw invalid('annual', 'Only taxes can have annual brackets.');
  if (one_off && kind !== 'earning') throw invalid('one_off', 'Only earnings can be one-offs.');
  if (prorated && kind !== 'earning') throw invalid('prorated', 'Only earnings can be prorated.');
}

/** Rejects an inconsistent component, regardless of other components. @throws a 422 that names the field */
export function assertComponent(component: PayComponent): void {
  if (reservedCodes.has(component.code))
    throw invalid('code', 'This code is a reserved word in formulas. Choose another code.');
  assertFits(component);
}

/**
 * Rejects components if any cannot be calculated.
 * @param saved code of the saved component, whose errors are reported first
 * @throws FormulaError
 */
export function assertComputable(components: readonly PayComponent[], saved: string): void {
  const faults = faultsIn(components);
  const found = faults.find(({ code }) => code === saved) ?? faults[0];
  if (found) throw faultOfComponent(found, saved);
}

function faultOfComponent({ code, field, position, message }: ComponentFault, saved: string): Fault {
  const own = field === 'base' ? `base.${position}` : field;
  // Another component that refers to this one could no longer be calculated.
  return notComputable(code === saved ? own : 'position', message, { position, field, component: code });
}

/** Returns the components that cannot be calculated without a given one. */
export const dependentsOf = (components: readonly PayComponent[], code: string): string[] => [
  ...new Set(faultsIn(components.filter((each) => each.code !== code)).map((each) => each.code)),
];

/**
 * Evaluates a formula with example values.
 * @param codes codes of components
 * @throws FormulaError, FormulaHasNoValue, a 422 fault for an unknown name in the example
 */
export function evaluateExample(
  { formula, example }: { formula: string; example: Readonly<Record<string, string>> },
  codes: readonly string[],
  places: number,
) {
  const validNames = new Set([...figures, ...codes]);
  try {
    const unknown = namesIn(formula).find(({ name }) => !validNames.has(name));
    if (unknown) throw new Unreadable(unknown.position, `Unknown name: ${unknown.name}. Use a name of the formula.`);
    const outsider = Object.keys(example).find((name) => !validNames.has(name));
    if (outsider !== undefined) throw invalid(`example.${outsider}`, `Unknown name: ${outsider}.`);
    const { inputs, steps, result } = tryFormula(formula, example, places);
    return { value: result, inputs: { ...inputs }, steps: [...steps] };
  } catch (error) {
    if (error instanceof Unreadable)
      throw notComputable('formula', error.message, { position: error.position, field: 'formula' });
    if (error instanceof FormulaFailed)
      throw new Fault(FormulaHasNoValue.status, FormulaHasNoValue.code, error.message, {
        errors: { formula: [error.message] },
      });
    throw error;
  }
}

/** Actions on salary components. */
export const componentActions = recordActions('salary_component', {
  update: 'salary_component.update',
  delete: 'salary_component.update',
});
