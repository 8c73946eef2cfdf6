/** Views of salary components with their terms on a day. */
import { raw, type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, type ListRequest, many, paginate, readOne } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';
import { SalaryComponent } from './component.schema.ts';

const TEXTS = ['calc', 'formula'];
const DECIMALS = ['amount', 'percent', 'ceiling'];
const TRUTHS = ['taxable', 'prorated', 'pre_tax', 'one_off', 'annual'];

const columns = [
  ...TEXTS.map((name) => `terms ->> '${name}' AS ${name}`),
  ...[...DECIMALS.map((name) => [name, 'numeric']), ...TRUTHS.map((name) => [name, 'bool']), ['position', 'int']].map(
    ([name, kind]) => `(terms ->> '${name}')::${kind} AS ${name}`,
  ),
  "nullif(terms -> 'slabs', 'null') AS slabs",
  "terms -> 'base' AS base",
].join(', ');

/**
 * Returns components with the terms of a day.
 * @param begun true to exclude components that begin later, false to include them with their future terms
 */
const componentsOn = (day: string, begun: boolean): Sql => sql`(
  SELECT component.id, component.workspace_id, code, name, kind, active, account_id, search, component.created_by, updated_by,
    component.created_at, updated_at, version, effective_from, ${raw(columns)}
  FROM salary_components AS component CROSS JOIN LATERAL (
    SELECT effective_from, terms FROM salary_component_versions AS known
    WHERE known.component_id = component.id AND (known.effective_from <= ${day}::date OR NOT ${begun})
    ORDER BY known.effective_from <= ${day}::date DESC,
      CASE WHEN known.effective_from <= ${day}::date THEN known.effective_from END DESC, known.effective_from, known.seq DESC
    LIMIT 1) AS latest)`;

const versionsIn = (db: Db): Expansion =>
  many('component_id', (ids) =>
    db.rows(sql`
      SELECT DISTINCT ON (component_id, effective_from) component_id, effective_from, ${raw(columns)}
      FROM salary_component_versions WHERE component_id = ANY(${ids}::uuid[])
      ORDER BY component_id, effective_from, seq DESC`),
  );

const componentView = (db: Db, day: string, begun: boolean) => ({
  table: 'salary_components',
  from: componentsOn(day, begun),
  expand: { versions: versionsIn(db) },
});

/** Lists components with their terms of today or of another day, one page. */
export const listComponents = (db: Db, { timezone }: Caller, request: ListRequest<{ as_of?: string | undefined }>) =>
  paginate(db, request, componentView(db, request.also.as_of ?? today(timezone), request.also.as_of !== undefined));

/** Returns a component with its scheduled changes. @throws NotFound */
export const showComponent = (db: Db, { timezone }: Pick<Caller, 'timezone'>, id: string) =>
  readOne(db, SalaryComponent, id, componentView(db, today(timezone), false));
