/** Views of holidays in lists and responses. */
import { join, type Sql, sql } from '@suite/chassis/database';
import { type ListRequest, type Page, paginate } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';

type HolidayFilterInput = ListRequest['filters'][number];

export const holidayView = {
  table: 'holidays',
  compute: {
    branch_id: sql`SELECT holiday_calendars.branch_id FROM holiday_calendars WHERE holiday_calendars.id = holidays.calendar_id`,
    days: sql`holidays.to - holidays.from + 1`,
  },
};

/** A holiday belongs to each year in which it has a day. */
const COMPARE: Readonly<Record<string, (year: number) => Sql>> = {
  eq: (year) =>
    sql`(holidays.from <= make_date(${year}::int, 12, 31) AND holidays.to >= make_date(${year}::int, 1, 1))`,
  gt: (year) => sql`holidays.to >= make_date(${year}::int + 1, 1, 1)`,
  gte: (year) => sql`holidays.to >= make_date(${year}::int, 1, 1)`,
  lt: (year) => sql`holidays.from <= make_date(${year}::int - 1, 12, 31)`,
  lte: (year) => sql`holidays.from <= make_date(${year}::int, 12, 31)`,
};

/** First and last year of AD dates in the database, with a margin of one year. */
const YEARS = [2, 9_998] as const;
const clampYear = (year: number): number => Math.min(Math.max(year, YEARS[0]), YEARS[1]);

function conditionOfYear({ operator, values }: HolidayFilterInput): Sql {
  const years = values.map((value) => clampYear(Number(value)));
  if (operator === 'null') return values[0] ? sql`FALSE` : sql`TRUE`;
  if (operator === 'ne') return sql`NOT ${COMPARE['eq']!(years[0]!)}`;
  return sql`(${join(years.map(COMPARE[operator === 'in' ? 'eq' : operator]!), ' OR ')})`;
}

/**
 * Returns the condition for holidays of branches: in the calendar of the branch, or in the default calendar. An unknown
 * branch has no holidays.
 */
const conditionOfBranches = ({ values }: HolidayFilterInput): Sql => sql`holidays.calendar_id IN (
  SELECT coalesce(own.id, standard.id) FROM branches
    LEFT JOIN holiday_calendars AS own ON own.branch_id = branches.id AND own.active
    LEFT JOIN holiday_calendars AS standard ON standard.is_default
  WHERE branches.id = ANY(${values}::uuid[]))`;

/** Returns the filters that do not compare a column. */
function conditionOf(filter: HolidayFilterInput): Sql | undefined {
  if (filter.column === 'year') return conditionOfYear(filter);
  const isOfBranch = filter.column === 'branch_id' && (filter.operator === 'eq' || filter.operator === 'in');
  return isOfBranch ? conditionOfBranches(filter) : undefined;
}

/** Returns a page of the holidays. */
export function listHolidays(db: Db, request: ListRequest): Promise<Page> {
  const columns = request.filters.map((filter) => ({ filter, where: conditionOf(filter) }));
  return paginate(
    db,
    {
      ...request,
      columns: request.columns.filter((name) => name !== 'year'),
      filters: columns.filter(({ where }) => !where).map(({ filter }) => filter),
    },
    { ...holidayView, where: join([sql`TRUE`, ...columns.flatMap(({ where }) => where ?? [])], ' AND ') },
  );
}
