/** The names of tables and columns that statements take from variables, checked against the models of Prisma by the compiler. */
import { raw, type Sql } from '@prisma/client/runtime/client';

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
type TableOf<Model extends string> = Words<Model> extends `_${infer Noun}` ? Plural<Noun> : never;

/** The tables of a service with their columns: `Tables<Prisma.TypeMap>`. */
export type Tables<TypeMap extends { model: Record<string, { payload: { scalars: object } }> }> = {
  [Model in keyof TypeMap['model'] & string as TableOf<Model>]: TypeMap['model'][Model]['payload']['scalars'];
};

/** A column of a table; of any table, where none is named. Of several tables, one that all of them have. */
export type ColumnOf<All, Name extends keyof All = never> = [Name] extends [never]
  ? { [One in keyof All]: keyof All[One] }[keyof All]
  : keyof All[Name];

/** Makes the functions by which the statements of a service name its tables and columns. */
export const namesOf = <All>() => ({
  tableNamed: <Name extends keyof All & string>(name: Name): Sql => raw(name),
  columnNamed: <Name extends ColumnOf<All> & string>(name: Name): Sql => raw(name),
});
