/** Lists that a body asks for: read as the query string that says the same, by the same grammar. */
import type { ListQuery, ListRequest } from '@suite/chassis';

/** The parameter of a field: `due_date_from` is `due_date[gte]`, several values are `[in]`. */
function parameterOf(name: string, value: unknown): [string, string] {
  const [, field = name, side] = /^(\w+)_(from|to)$/.exec(name) ?? [];
  if (side) return [`${field}[${side === 'from' ? 'gte' : 'lte'}]`, String(value)];
  return Array.isArray(value) ? [`${name}[in]`, value.join(',')] : [name, String(value)];
}

/** The request for a list that a body describes. @throws a 422 that names the parameter, as the list itself does */
export function requestOf(grammar: ListQuery, body: object, list: string): ListRequest {
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  return grammar.parse(Object.fromEntries(given.map(([name, value]) => parameterOf(name, value))), list);
}
