/** List requests in the body, parsed like the equivalent query string. */
import { invalid } from '@suite/chassis/faults';
import { type ListQuery, type ListRequest, parseListRequest } from '@suite/chassis/lists';

/**
 * Returns the query parameter of a field: `due_date_from` is `due_date[gte]`, several values are `[in]`.
 * @throws a 422 for several values if one has a comma, because the list would read it as two
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

/** Parses the list request in a body. @throws a 422 that names the parameter, like the list itself */
export function requestOf(grammar: ListQuery, body: object, list: string): ListRequest {
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  return parseListRequest(grammar, Object.fromEntries(given.map(([name, value]) => parameterOf(name, value))), list);
}
