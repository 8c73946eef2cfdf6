/** The tables and columns that statements name by a variable. */
import { type ColumnOf, namesOf, type Tables } from '@suite/chassis';
import type { Prisma } from './generated/client.ts';

type All = Tables<Prisma.TypeMap>;

export type Table = keyof All;

/** A column of a table; of any table, where none is named. */
export type Column<Name extends Table = never> = ColumnOf<All, Name>;

export const { tableNamed, columnNamed } = namesOf<All>();
