/**
 * Reads how salaries are computed: the components of the workspace as they are on a day. Who needs one day or many of a span
 * reads once, and asks for each: `(await readComponents(db, period.end)).on(day)`. It tells what is true, whoever asks.
 */
import { sql } from '@suite/chassis';
import type { Component } from '@suite/payroll';
import type { Db } from '../operations.ts';

/** How a component is computed from a day on: what a version holds. */
export type ComponentTerms = Omit<Component, 'code' | 'name' | 'kind'>;

/** A component of a day, by its id, which salaries name. */
export interface SalaryComponent {
  readonly id: string;
  /** One that is not active is given to nobody anew; whoever has it is paid by it. */
  readonly active: boolean;
  /** An account of finance; none for the usual one. */
  readonly account_id: string | null;
  readonly component: Component;
}

/** The components of a workspace, as far as they are known by a day. */
export interface SalaryComponents {
  /** Those of a day, in the order of their codes; one that begins later is not among them. */
  on(day: string): SalaryComponent[];
  /** The days on which terms of one begin, each once, in their order. */
  readonly days: readonly string[];
}

interface Row extends Omit<SalaryComponent, 'component'>, Pick<Component, 'code' | 'name' | 'kind'> {
  versions: { effective_from: string; terms: ComponentTerms }[];
}

function componentOn({ versions, code, name, kind, ...rest }: Row, day: string): SalaryComponent[] {
  const version = versions.findLast(({ effective_from }) => effective_from <= day);
  return version ? [{ ...rest, component: { ...version.terms, code, name, kind } }] : [];
}

/**
 * Reads the components of the workspace.
 * @param until the last day that will be asked for; without it, all that is planned is read
 */
export async function readComponents(db: Db, until = '9999-12-31'): Promise<SalaryComponents> {
  const rows = await db.rows<Row>(sql`
    SELECT salary_components.id, code, name, kind, active, account_id,
      jsonb_agg(jsonb_build_object('effective_from', to_char(effective_from, 'YYYY-MM-DD'), 'terms', terms)
        ORDER BY effective_from, seq) AS versions
    FROM salary_components JOIN salary_component_versions ON component_id = salary_components.id
    WHERE effective_from <= ${until}::date
    GROUP BY salary_components.id ORDER BY code`);
  const days = new Set(rows.flatMap(({ versions }) => versions.map(({ effective_from }) => effective_from)));
  return { on: (day) => rows.flatMap((row) => componentOn(row, day)), days: [...days].toSorted() };
}
