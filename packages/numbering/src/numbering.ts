/** Official numbers without gaps per series and year, assigned in the transaction that makes a document official. */
import { type WorkspaceDatabase, type Sql, sql } from '@suite/chassis/database';

/** Numbering of a kind of document. A series that is not yearly never restarts. */
export interface NumberSeries {
  prefix: string;
  yearly: boolean;
  /** Minimum number of digits. Defaults to five. */
  digits?: number;
}

/** An official number: `INV-2026-00001` is the first number of 2026. */
export interface OfficialNumber {
  number: string;
  /** 0 in a series that never restarts. */
  year: number;
  sequence: number;
}

/** Next number of a series for a statement that stores it itself, which saves a round trip. */
export interface NumberInStatement {
  /** The counter for `WITH counter AS (…)`. It is locked until the transaction ends. */
  counter: Sql;
  /** The expression for the number from that counter. */
  number: Sql;
}

export interface Numbering<Type extends string> {
  /**
   * Assigns the next number of a series. The counter stays locked until the transaction ends, so call this after every
   * other lock. `day` is the date of the document (YYYY-MM-DD), whose year is the number's year.
   */
  (db: WorkspaceDatabase<object>, type: Type, day: string): Promise<OfficialNumber>;
  /** Takes several numbers of a series in one statement, in order. */
  many(db: WorkspaceDatabase<object>, type: Type, day: string, count: number): Promise<string[]>;
  /** Returns the next number as a part of a statement. */
  inStatement(type: Type, day: string): NumberInStatement;
}

const DIGITS = 5;

/**
 * Returns the numbering of a service, by kind of document. Its database has the table `number_counters`
 * (`workspace_id`, `type`, `year`, `last`), unique by the first three columns.
 */
export function numbering<Type extends string>(series: Readonly<Record<Type, NumberSeries>>): Numbering<Type> {
  const next = (type: Type, day: string, count = 1) => {
    const { prefix, yearly, digits: width = DIGITS } = series[type];
    const year = yearly ? Number(day.slice(0, 4)) : 0;
    const counter = sql`
      INSERT INTO number_counters AS counter (type, year, last) VALUES (${type}, ${year}::smallint, ${count}::int)
      ON CONFLICT (workspace_id, type, year) DO UPDATE SET last = counter.last + ${count}::int RETURNING last`;
    return { counter, year, width, beginning: yearly ? `${prefix}-${year}-` : `${prefix}-` };
  };
  const take = async (db: WorkspaceDatabase<object>, type: Type, day: string): Promise<OfficialNumber> => {
    const { counter, year, width, beginning } = next(type, day);
    const [counted] = await db.rows<{ last: number }>(counter);
    const sequence = counted!.last;
    return { number: beginning + String(sequence).padStart(width, '0'), year, sequence };
  };
  const many = async (db: WorkspaceDatabase<object>, type: Type, day: string, count: number): Promise<string[]> => {
    if (count === 0) return [];
    const { counter, width, beginning } = next(type, day, count);
    const [counted] = await db.rows<{ last: number }>(counter);
    const before = counted!.last - count;
    return Array.from({ length: count }, (_, at) => beginning + String(before + at + 1).padStart(width, '0'));
  };
  const inStatement = (type: Type, day: string): NumberInStatement => {
    const { counter, width, beginning } = next(type, day);
    const digits = sql`counter.last::text`;
    return { counter, number: sql`${beginning}::text || lpad(${digits}, greatest(${width}, length(${digits})), '0')` };
  };
  return Object.assign(take, { many, inStatement });
}
