/** Names of tables and columns in variables of statements, checked by the compiler against the models of Prisma. */
import { raw, type Sql } from '@prisma/client/runtime/client';

/** The snake case of a name: `InvoiceLine` → `_invoice_line`. */
type Words<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Words<Rest>}`
  : '';
type Plural<Noun extends string> = Noun extends `${infer Stem}y`
  ? `${Stem}ies`
  : Noun extends `${string}s`
    ? Noun
    : `${Noun}s`;
/** The table of a model: `InvoiceLine` → `invoice_lines`, as all tables are named. */
type TableOf<Model extends string> = Words<Model> extends `_${infer Noun}` ? Plural<Noun> : never;

/** The tables of a service with their columns: `Tables<Prisma.TypeMap>`. */
export type Tables<TypeMap extends { model: Record<string, { payload: { scalars: object } }> }> = {
  [Model in keyof TypeMap['model'] & string as TableOf<Model>]: TypeMap['model'][Model]['payload']['scalars'];
};

/**
 * Column of a table. Without a table name, a column of any table. For several tables, a column that all of these tables
 * have.
 */
export type ColumnOf<All, Name extends keyof All = never> = [Name] extends [never]
  ? { [One in keyof All]: keyof All[One] }[keyof All]
  : keyof All[Name];

/** Creates the functions that name a service's tables and columns in its statements. */
export const namesOf = <All>() => ({
  tableNamed: <Name extends keyof All & string>(name: Name): Sql => raw(name),
  columnNamed: <Name extends ColumnOf<All> & string>(name: Name): Sql => raw(name),
});
