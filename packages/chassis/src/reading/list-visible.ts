/** The fields of a list that a caller may filter and sort by. */
import type { z } from 'zod';
import { current } from '../database/running.ts';
import type { Caller } from '../identity/identity.ts';
import type { ListQuery, ListRequest } from '../lists/list.ts';
import { invalid } from '../runtime/fault.ts';
import { innerFields, type Opened } from '../schema/fields.ts';

/** Whether a caller may see a field that is marked as inner. Work without a caller shows it to no user. */
export function opens({ permissions }: Opened, caller: Caller | null): boolean {
  const isStaff = caller?.kind === 'owner' || caller?.kind === 'staff';
  return isStaff && permissions.every((permission) => caller.permissions.includes(permission));
}

/**
 * Rejects a list request that filters or sorts by a field that the caller must not see, wherever the request comes from: a
 * query string, or a body that asks for the same list.
 * @throws a 422 that names the parameter, as for a parameter that the list does not have
 */
export function assertRequestVisible({ filters, sort, row }: ListRequest, caller: Caller | null): void {
  const isHidden = (column: string) => {
    const field = row.shape[column] as z.ZodType | undefined;
    const mark = field && innerFields.get(field);
    return mark !== undefined && !opens(mark, caller);
  };
  const filter = filters.find(({ column }) => isHidden(column));
  if (filter) throw invalid(filter.column, 'Unknown parameter. Remove it.');
  if (sort.some(({ column }) => isHidden(column))) throw invalid('sort', 'This list cannot be sorted by this field.');
}

/**
 * Parses the request for a list that a body describes, by the rules of the list with a query string.
 * @param query the parameters, as a query string would have them
 * @param list the name of the list, to which cursors are bound
 * @throws a 422 that names the parameter, also for a field that the caller must not see
 */
export function parseListRequest(grammar: ListQuery, query: Record<string, string>, list: string): ListRequest {
  const request = grammar.parse(query, list);
  assertRequestVisible(request, current().context.caller);
  return request;
}
