import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

const HEAD = `
  import { change, find } from '@suite/chassis/database';
import { idOf, input, Name } from '@suite/chassis/fields';
import { can, lifecycle, ok, open, upserted } from '@suite/chassis/operations';
  import { LeadLost } from '@suite/proto/crm/v1/events';
  import { z } from 'zod';
  import { command, query } from '../src/operations.ts';
  const reply = ok(z.object({ title: Name }));
  const access = can('note.view');
  const id = idOf('notes');
  const handle = () => ({ title: 'x' });
  export const uses = [change, find, lifecycle, open, upserted, input, LeadLost, command, query, reply, access, id, handle];
`;

const right = {
  'a query': `query('GET /api/note/{id}', { summary: '', access, params: { id }, reply, handle: ({ db, params }) => find(db.note, params.id) });`,
  'a command': `command('POST /api/note', { summary: '', access, body: input({ title: Name }), reply,
    handle: ({ db, body, emit, caller }) => { emit(LeadLost, LeadLost.fromPartial({ lead_id: caller.user_id })); return db.note.create({ data: body }); } });`,
  'what was prepared': `command('POST /api/note', { summary: '', access, reply, prepare: async () => ({ title: 'x' }), handle: ({ prepared }) => prepared });`,
  'a note before the command': `command('POST /api/note', { summary: '', access, reply, prepare: ({ write }) => write((db) => db.note.create({ data: { title: 'x' } })), handle: ({ prepared }) => prepared });`,
  'a query that can be printed': `query('GET /api/note', { summary: '', access, reply, handle, formats: { pdf: async ({ record }) => { record.title.trim(); return async () => {}; } } });`,
  'a lifecycle': `lifecycle('note', { open: { finish: 'done' }, done: {} }, { actions: { finish: 'note.update' } });`,
};

const wrong = {
  'a variable of the route without a schema': `query('GET /api/note/{id}', { summary: '', access, reply, handle });`,
  'one of two variables without a schema': `query('GET /api/note/{id}/{page_id}', { summary: '', access, params: { id }, reply, handle });`,
  'a schema without a variable': `query('GET /api/note/{id}', { summary: '', access, params: { id, page_id: id }, reply, handle });`,
  'schemas for a route without variables': `query('GET /api/note', { summary: '', access, params: { id }, reply, handle });`,
  'no access': `query('GET /api/note', { summary: '', reply, handle });`,
  'no reply': `query('GET /api/note', { summary: '', access, handle });`,
  'no summary': `query('GET /api/note', { access, reply, handle });`,
  'another reply than declared': `query('GET /api/note', { summary: '', access, reply, handle: () => ({ name: 'x' }) });`,
  'a reply with a field of another type': `query('GET /api/note', { summary: '', access, reply, handle: () => ({ title: 3 }) });`,
  'a record without the flag that says if it was created': `command('POST /api/note', { summary: '', access, reply: upserted(z.object({ title: Name })), handle });`,
  'a route outside of /api': `query('GET /note', { summary: '', access, reply, handle });`,
  'a method that is not used': `query('PATCH /api/note', { summary: '', access, reply, handle });`,
  'a command that can be printed': `command('POST /api/note', { summary: '', access, reply, handle, formats: { pdf: async () => async () => {} } });`,
  'a field of a printed record that is not shown': `query('GET /api/note', { summary: '', access, reply, handle, formats: { pdf: async ({ record }) => { record.name; return async () => {}; } } });`,
  'an event from a query': `query('GET /api/note', { summary: '', access, reply, handle: ({ emit }) => { emit; return handle(); } });`,
  'a note before a query': `query('GET /api/note', { summary: '', access, reply, prepare: async ({ write }) => void write, handle });`,
  'an event with a field of another type': `command('POST /api/note', { summary: '', access, reply, handle: ({ emit }) => { emit(LeadLost, { lead_id: 3 }); return handle(); } });`,
  'a caller who may be null': `query('GET /api/note', { summary: '', access: open, reply, handle: ({ caller }) => ({ title: caller.user_name }) });`,
  'a field that the body does not have': `command('POST /api/note', { summary: '', access, body: input({ title: Name }), reply, handle: ({ body }) => ({ title: body.name }) });`,
  'a variable that the path does not have': `query('GET /api/note/{id}', { summary: '', access, params: { id }, reply, handle: ({ params }) => ({ title: params.note_id }) });`,
  'a column that the table does not have': `command('POST /api/note', { summary: '', access, reply, handle: ({ db }) => change(db.note, '', { name: 'x' }) });`,
  'a transaction of its own': `command('POST /api/note', { summary: '', access, reply, handle: ({ db }) => db.$transaction([]) });`,
  'an invalid fault': `query('GET /api/note', { summary: '', access, reply, faults: ['not_found'], handle });`,
  'a state that the lifecycle does not know': `lifecycle('note', { open: { finish: 'finished' }, done: {} }, { actions: { finish: 'note.update' } });`,
  'a verb that the lifecycle does not know': `void lifecycle('note', { open: { finish: 'done' }, done: {} }, { actions: { finish: 'note.update' } }).move({}, '', 'reopen');`,
  'a transition without an actor': `lifecycle('note', { open: { finish: 'done', drop: 'done' }, done: {} }, { actions: { finish: 'note.update' } });`,
  'an action in a state that the lifecycle does not know': `lifecycle('note', { open: { finish: 'done' }, done: {} }, { actions: { finish: 'note.update', update: { permission: 'note.update', in: ['lost'] } } });`,
  'access to what no caller may do': `lifecycle('note', { open: { finish: 'done' }, done: {} }, { actions: { finish: { by: 'a.schedule' } } }).can('finish');`,
};

const folder = dirname(fileURLToPath(import.meta.url));
const config = join(folder, '../../../tsconfig.json');
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(config, (path) => ts.sys.readFile(path)).config,
  { ...ts.sys, readDirectory: () => [] },
  dirname(config),
);
const cases = [...Object.entries(right), ...Object.entries(wrong)];
const files = new Map(cases.map(([name, text], at) => [join(folder, `case-${at}.ts`), { name, text: HEAD + text }]));
const host = ts.createCompilerHost(options);
const { fileExists, readFile } = host;
host.fileExists = (path) => files.has(path) || fileExists(path);
host.readFile = (path) => files.get(path)?.text ?? readFile(path);
const program = ts.createProgram([...files.keys()], options, host);
const complaints = new Map(
  [...files].map(([path, { name }]) => {
    const found = program.getSemanticDiagnostics(program.getSourceFile(path));
    return [name, found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))];
  }),
);

test.each(Object.keys(right))('the compiler accepts %s', (name) => expect(complaints.get(name)).toEqual([]));

test.each(Object.keys(wrong))('the compiler rejects %s', (name) => {
  expect(complaints.get(name)).toHaveLength(1);
});
