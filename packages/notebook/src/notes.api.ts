/** Notes: the smallest thing that a service can keep. A note has pages, and is open until it is done. */
import {
  can,
  change,
  created,
  fault,
  find,
  idOf,
  lifecycle,
  many,
  ok,
  open,
  page,
  paginate,
  remove,
  removed,
  signedIn,
  sql,
} from '@suite/chassis';
import { LeadCreated } from '@suite/proto/crm/v1/events';
import { z } from 'zod';
import { Note, NoteFilter, NoteInput, NotePatch, PageInput, PageOut } from './note.schema.ts';
import { command, query } from './operations.ts';

export const notes = lifecycle('note', { open: { finish: 'done' }, done: {} }, { actions: { finish: 'note.update' } });
export const TooLate = fault(409, 'too_late', 'It is too late for that.');

export const list = query('GET /api/notes', {
  summary: 'List notes',
  access: can('note.view'),
  query: NoteFilter,
  reply: page(Note),
  handle: ({ db, query: asked }) =>
    paginate(db, asked, {
      table: 'notes',
      expand: {
        pages: many('note_id', (ids) =>
          db.rows(sql`SELECT id, note_id, text FROM pages WHERE note_id = ANY(${ids}::uuid[])`),
        ),
      },
    }),
});

export const show = query('GET /api/note/show/{id}', {
  summary: 'Show a note',
  access: can('note.view'),
  params: { id: idOf('notes') },
  reply: ok(Note),
  handle: ({ db, params }) => find(db.note, params.id),
});

export const create = command('POST /api/note/create', {
  summary: 'Create a note',
  access: can('note.create'),
  body: NoteInput,
  reply: created(Note),
  faults: [TooLate],
  async handle({ db, body: { pages = [], due, ...body }, emit, caller }) {
    if (body.title === 'too late') throw TooLate();
    if (body.title === 'a bug') throw new TypeError('what a mistake of ours says is for the log only');
    const note = await db.note.create({ data: { ...body, due: due ? new Date(due) : null, pages: { create: pages } } });
    emit(LeadCreated, {
      lead_id: note.id,
      name: note.title,
      pipeline_id: '',
      stage_id: '',
      owner_id: caller.user_id,
      origin: 'manual',
    });
    return note;
  },
});

export const update = command('POST /api/note/update/{id}', {
  summary: 'Change a note',
  access: can('note.update'),
  params: { id: idOf('notes') },
  body: NotePatch,
  reply: ok(Note),
  handle: ({ db, params, body: { version: _, due, ...patch }, expect }) =>
    change(db.note, params.id, { ...patch, ...(due !== undefined && { due: due ? new Date(due) : null }) }, expect),
});

export const finish = command('POST /api/note/finish/{id}', {
  summary: 'Finish a note',
  access: notes.can('finish'),
  params: { id: idOf('notes') },
  reply: ok(Note),
  async handle({ db, params }) {
    await notes.move(db.note, params.id, 'finish');
    return await find(db.note, params.id);
  },
});

export const destroy = command('DELETE /api/note/delete/{id}', {
  summary: 'Delete a note',
  access: can('note.delete'),
  params: { id: idOf('notes') },
  reply: removed,
  handle: ({ db, params }) => remove(db.note, params.id),
});

export const addPage = command('POST /api/page/create', {
  summary: 'Add a page to a note',
  access: can('note.update'),
  body: PageInput,
  reply: created(PageOut),
  handle: ({ db, body }) => db.page.create({ data: body }),
});

export const whoAmI = query('GET /api/who-am-i', {
  summary: 'Tell who is calling',
  access: signedIn,
  reply: ok(z.object({ user_id: z.string() })),
  handle: ({ caller }) => ({ user_id: caller.user_id }),
});

export const greet = query('GET /api/greeting', {
  summary: 'Greet anybody',
  access: open,
  reply: ok(z.object({ greeting: z.string() })),
  handle: ({ caller }) => ({ greeting: caller ? `Hello ${caller.user_name}` : 'Hello' }),
});
