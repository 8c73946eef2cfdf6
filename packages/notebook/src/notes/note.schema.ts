import { choice, Day, Id, input, list, Money, MoneyOut, Name, record, refTo, version } from '@suite/chassis';
import { z } from 'zod';

const Page = z.object({ id: Id, text: z.string() });

/** A note, with its pages where they were asked for. */
export const Note = record({
  title: Name,
  amount: MoneyOut.nullable(),
  due: Day.nullable(),
  status: choice('open', 'done'),
  position: z.int(),
  pages: z.array(Page).optional(),
});

export const NoteInput = input({
  title: Name,
  amount: Money.nullish(),
  due: Day.nullish(),
  pages: z
    .array(input({ text: Name }))
    .max(10)
    .optional(),
});
export const NotePatch = NoteInput.omit({ pages: true }).partial().extend({ version });
export const PageInput = input({ note_id: refTo('notes'), text: Name });
export const PageOut = z.object({ id: Id, note_id: Id, text: z.string() });

export const NoteFilter = list(Note, {
  filter: ['status', 'title', 'amount', 'due', 'position', 'created_at', 'updated_at'],
  sort: ['created_at', 'title', 'amount', 'position'],
  search: true,
  expand: ['pages'],
  through: { page_id: { table: 'pages', key: 'note_id', column: 'id' } },
});
