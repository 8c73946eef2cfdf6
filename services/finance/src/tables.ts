/** The tables and columns that statements name by a variable, checked against the models of Prisma by the compiler. */
import { raw, type Sql } from '@suite/chassis';
import type { Prisma } from './generated/client.ts';

type Model = Prisma.ModelName;

/** `InvoiceLine` → `_invoice_line` */
type Words<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Words<Rest>}`
  : '';
type Plural<Noun extends string> = Noun extends `${infer Stem}y`
  ? `${Stem}ies`
  : Noun extends `${string}s`
    ? Noun
    : `${Noun}s`;
/** `InvoiceLine` → `invoice_lines`, as all tables are called. */
type TableOf<Name extends Model> = Words<Name> extends `_${infer Noun}` ? Plural<Noun> : never;

type Tables = { [Name in Model as TableOf<Name>]: Prisma.TypeMap['model'][Name]['payload']['scalars'] };

export type Table = keyof Tables;

/** A column of a table; of any table, where none is named. Of several tables, one that all of them have. */
export type Column<Name extends Table = never> = [Name] extends [never]
  ? { [One in Table]: keyof Tables[One] }[Table]
  : keyof Tables[Name];

/** The name of a table, for a statement. */
export const tableNamed = <Name extends Table>(name: Name): Sql => raw(name);

/** The name of a column, for a statement. */
export const columnNamed = <Name extends Column>(name: Name): Sql => raw(name);
