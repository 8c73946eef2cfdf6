/** Tables and columns that statements reference by a variable. */
import { type ColumnOf, namesOf, type Tables } from '@suite/chassis/fields';
import type { Prisma } from './generated/client.ts';

type All = Tables<Prisma.TypeMap>;

export type Table = keyof All;

/** Column of a table. Defaults to any table. */
export type Column<Name extends Table = never> = ColumnOf<All, Name>;

export const { tableNamed, columnNamed } = namesOf<All>();
