/** Audiences in lists and responses, and list filters by audience. */
import { join, raw, type Sql, sql } from '@suite/chassis/database';
import type { ListRequest } from '@suite/chassis/lists';
import { PARTS } from './audience.schema.ts';
import { NOTICES, type NoticeKind } from './audience.ts';

/** Returns the audience of a row, as a JSON object. */
export function audienceOf(kind: NoticeKind): Sql {
  const { table, column } = NOTICES[kind];
  const parts = PARTS.map(
    (part) => sql`${raw(`'${part}s'`)}, coalesce(jsonb_agg(part.${raw(part)} ORDER BY part.${raw(part)})
      FILTER (WHERE part.${raw(part)} IS NOT NULL), '[]')`,
  );
  return sql`SELECT jsonb_build_object(${join(parts)}) FROM audience_parts AS part WHERE part.${raw(column)} = ${raw(table)}.id`;
}

type AudienceFilter = ListRequest['filters'][number];

const isPart = ({ column }: Pick<AudienceFilter, 'column'>): boolean => PARTS.some((part) => part === column);

/** Returns the condition that the audience of a row names one of the IDs. */
function names(table: string, { operator, values }: AudienceFilter): Sql {
  if (operator === 'null') return values[0] ? sql`FALSE` : sql`TRUE`;
  const not = operator === 'ne' ? sql`NOT ` : sql``;
  return sql`${not}${raw(table)}.audience && ${values}::uuid[]`;
}

/** Removes the audience filters from a request. @returns the remaining request and the filters' condition */
export function extractAudienceFilter(table: string, request: ListRequest): { request: ListRequest; where: Sql } {
  const where = request.filters.filter(isPart).map((filter) => names(table, filter));
  const columns = request.columns.filter((column) => !isPart({ column }));
  const filters = request.filters.filter((filter) => !isPart(filter));
  return { request: { ...request, columns, filters }, where: join([sql`TRUE`, ...where], ' AND ') };
}
