/** Lists that a body asks for: read as the query string that says the same, by the same grammar. */
import { invalid, type ListQuery, type ListRequest, parseListRequest } from '@suite/chassis';

/**
 * The parameter of a field: `due_date_from` is `due_date[gte]`, several values are `[in]`.
 * @throws a 422 for several values of which one has a comma: the list would take it for two
 */
function parameterOf(name: string, value: unknown): [string, string] {
  const [, field = name, side] = /^(\w+)_(from|to)$/.exec(name) ?? [];
  if (side) return [`${field}[${side === 'from' ? 'gte' : 'lte'}]`, String(value)];
  if (!Array.isArray(value)) return [name, String(value)];
  if (value.length === 1) return [name, String(value[0])];
  if (value.some((one) => String(one).includes(',')))
    throw invalid(name, 'A value that contains a comma must be sent alone.');
  return [`${name}[in]`, value.join(',')];
}

/** The request for a list that a body describes. @throws a 422 that names the parameter, as the list itself does */
export function requestOf(grammar: ListQuery, body: object, list: string): ListRequest {
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  return parseListRequest(grammar, Object.fromEntries(given.map(([name, value]) => parameterOf(name, value))), list);
}
