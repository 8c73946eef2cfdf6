import { invalid } from '../runtime/fault.ts';

/**
 * Returns true for parameters that accept several values, separated by commas: standard list parameters, and the filter
 * operator `in`.
 */
const isMultiple = (name: string): boolean =>
  name === 'sort' || name === 'fields' || name === 'expand' || name.endsWith('[in]');

const ONCE = 'Send this parameter once. Filters accept several values as name[in]=a,b.';

/**
 * Returns each parameter of a query string as one text. A parameter with several values can be sent as `a,b`, by
 * repeating its name, or by repeating its name with `[]`, because HTTP clients write lists differently.
 * @throws Fault 422 naming the parameter, if a parameter with one value is repeated
 */
export function queryValues(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const [sent, value] of Object.entries(query)) {
    const base = sent.endsWith('[]') ? sent.slice(0, -2) : sent;
    const name = isMultiple(base) ? base : sent;
    const several = Array.isArray(value) || name in values;
    if (several && !isMultiple(name)) throw invalid(name, ONCE);
    const text = Array.isArray(value) ? value.join(',') : String(value);
    values[name] = name in values ? `${values[name]},${text}` : text;
  }
  return values;
}
