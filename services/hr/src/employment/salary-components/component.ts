/**
 * Reads the salary components of a workspace with their terms on a day. Read once for any number of days: `(await
 * readComponents(db, period.end)).on(day)`. Results do not depend on the caller.
 */
import { sql } from '@suite/chassis/database';
import type { PayComponent } from '../pay-computation/facts/component.ts';
import type { Db } from '../../operations.ts';

/** Terms of a component from a given day, as stored in a version. */
export type ComponentTerms = Omit<PayComponent, 'code' | 'name' | 'kind'>;

/** Salary component as of a day, with the ID that salaries refer to. */
export interface DatedComponent {
  readonly id: string;
  /** False if the component can no longer be added to salaries. Existing salaries still include it. */
  readonly active: boolean;
  /** Account in finance. Null for the default account. */
  readonly account_id: string | null;
  readonly component: PayComponent;
}

/** Components of a workspace that are known by a day. */
export interface SalaryComponents {
  /** Returns the components on a day by code. Components that begin later are excluded. */
  on(day: string): DatedComponent[];
  /** Unique first days of component terms, in order. */
  readonly days: readonly string[];
}

interface Row extends Omit<DatedComponent, 'component'>, Pick<PayComponent, 'code' | 'name' | 'kind'> {
  versions: { effective_from: string; terms: ComponentTerms }[];
}

function componentOn({ versions, code, name, kind, ...rest }: Row, day: string): DatedComponent[] {
  const version = versions.findLast(({ effective_from }) => effective_from <= day);
  return version ? [{ ...rest, component: { ...version.terms, code, name, kind } }] : [];
}

/**
 * Reads the components of the workspace.
 * @param until last day to read. By default, all scheduled versions are read.
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
