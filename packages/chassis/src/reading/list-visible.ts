/** The list fields that a caller may filter and sort by. */
import type { z } from 'zod';
import { currentTransaction } from '../database/running.ts';
import type { Caller } from '../identity/identity.ts';
import type { ListQuery, ListRequest } from '../lists/list.ts';
import { invalid } from '../runtime/fault.ts';
import { innerFields, type FieldVisibility } from '../schema/fields.ts';

/** Returns true if a caller may see an inner field. Work without a caller shows it to no user. */
export function showsField({ permissions }: FieldVisibility, caller: Caller | null): boolean {
  const isStaff = caller?.kind === 'owner' || caller?.kind === 'staff';
  return isStaff && permissions.every((permission) => caller.permissions.includes(permission));
}

/** Returns true if a caller must not see a field of the list. */
export function isHidden({ row }: Pick<ListRequest, 'row'>, column: string, caller: Caller | null): boolean {
  const field = row.shape[column] as z.ZodType | undefined;
  const mark = field && innerFields.get(field);
  return mark !== undefined && !showsField(mark, caller);
}

/**
 * Rejects a list request that filters or sorts by a field that the caller must not see. Applies to query strings and to
 * bodies that request the same list.
 * @throws a 422 that names the parameter, as for a parameter that the list does not have
 */
export function assertRequestVisible(request: ListRequest, caller: Caller | null): void {
  const { filters, sort } = request;
  const filter = filters.find(({ column }) => isHidden(request, column, caller));
  if (filter) throw invalid(filter.column, 'Unknown parameter. Remove it.');
  if (sort.some(({ column }) => isHidden(request, column, caller)))
    throw invalid('sort', 'This list cannot be sorted by this field.');
}

/**
 * Parses the list request in a body, by the same rules as a query string.
 * @param query the parameters, as in a query string
 * @param list the name of the list that cursors are bound to
 * @throws a 422 that names the parameter, including for a field that the caller must not see
 */
export function parseListRequest(grammar: ListQuery, query: Record<string, string>, list: string): ListRequest {
  const request = grammar.parse(query, list);
  assertRequestVisible(request, currentTransaction().context.caller);
  return request;
}
