/** Official numbers: gap-free in their series and year, given in the transaction that makes a document official. */
import { type Confined, sql } from '@suite/chassis';

/** The numbering of a kind of documents. A series that is not yearly goes on for ever. */
export interface Series {
  prefix: string;
  yearly: boolean;
  /** How many digits a number has at least; five, if nothing else is said. */
  digits?: number;
}

/** `INV-2026-00001` is the first number of 2026. */
export interface OfficialNumber {
  number: string;
  /** 0 in a series that goes on for ever. */
  year: number;
  sequence: number;
}

const DIGITS = 5;

/**
 * The numbers of a service, by the kinds of its documents. Its database has the table `number_counters`
 * (`workspace_id`, `type`, `year`, `last`), unique by the first three.
 * @returns a function that takes the next number of a series. The counter stays locked until the transaction ends, so call
 *   it late: after every other lock. `day` is the date of the document (YYYY-MM-DD), whose year is the number's.
 */
export const numbering =
  <Type extends string>(series: Readonly<Record<Type, Series>>) =>
  async (db: Confined<object>, type: Type, day: string): Promise<OfficialNumber> => {
    const { prefix, yearly, digits: width = DIGITS } = series[type];
    const year = yearly ? Number(day.slice(0, 4)) : 0;
    const [counter] = await db.rows<{ last: number }>(sql`
      INSERT INTO number_counters AS counter (type, year, last) VALUES (${type}, ${year}::smallint, 1)
      ON CONFLICT (workspace_id, type, year) DO UPDATE SET last = counter.last + 1 RETURNING last`);
    const sequence = counter!.last;
    const digits = String(sequence).padStart(width, '0');
    return { number: yearly ? `${prefix}-${year}-${digits}` : `${prefix}-${digits}`, year, sequence };
  };
