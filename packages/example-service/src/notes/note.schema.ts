import { choice, Day, Id, input, Money, MoneyOut, Name, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { z } from 'zod';

/** A page of a note. */
export const Page = z.object({ id: Id, note_id: Id, text: z.string() }).meta({ id: 'Page' });

/** Note, with its pages if they were requested. */
export const Note = record({
  title: z.string(),
  amount: MoneyOut.nullable().describe('Expected cost.'),
  due: Day.nullable(),
  status: choice('open', 'done'),
  position: z.int().describe('Position among the notes, in the order that users choose.'),
  pages: z.array(Page).optional(),
}).meta({ id: 'Note' });

/** A note with its pages. */
export const NoteDetails = Note.required({ pages: true }).meta({ id: 'NoteDetails' });

export const NoteFilter = list(Note, {
  filter: ['status', 'title', 'amount', 'due', 'position', 'created_at', 'updated_at'],
  sort: ['created_at', 'title', 'amount', 'position'],
  search: true,
  expand: ['pages'],
  through: { page_id: { table: 'pages', key: 'note_id', column: 'id' } },
});

export const NoteInput = input({
  title: Name,
  amount: Money.nullish(),
  due: Day.nullish(),
  pages: z
    .array(input({ text: Name }))
    .max(10)
    .default([]),
});

export const NoteChanges = input({
  title: Name.optional(),
  amount: Money.nullish(),
  due: Day.nullish(),
  position: z.int().min(0).max(1_000_000).optional(),
  version,
});

export const PageInput = input({ note_id: refTo('notes'), text: Name });

export type NoteInput = z.output<typeof NoteInput>;
export type NoteChanges = z.output<typeof NoteChanges>;
export type PageInput = z.output<typeof PageInput>;
