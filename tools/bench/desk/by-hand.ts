/**
 * The baseline of projects and support: tasks and tickets, written by hand with express and pg, for one workspace and
 * one project. It has no identity, permissions, list grammar or schema. It writes the same rows.
 */
import { createServer } from 'node:http';
import express from 'express';
import { listenForParent } from '../load/child-process.ts';
import { board, createTask, type NewTask, tasks } from './tasks.ts';
import { createTicket, type NewTicket, tickets } from './tickets.ts';

const app = express().disable('etag').disable('x-powered-by').set('query parser', 'simple');

for (const [path, list] of Object.entries({
  '/api/lightproj/projects/:id/tasks': tasks,
  '/api/support-ticket/tickets': tickets,
})) {
  app.get(path, async (request, response) => {
    const { page = 1, per_page, sort } = request.query;
    if (sort !== '-created_at') return void response.status(422).json({ message: 'Sort by -created_at.' });
    response.json(await list({ page: Number(page), per_page: Number(per_page) }));
  });
}

app.get('/api/project/:id/task-board', async (request, response) => {
  response.json({ data: await board(request.params.id, Number(request.query['per_column'] ?? 50)) });
});

app.post('/api/project/:id/task/create', express.json(), async (request, response) => {
  response.status(201).json({ data: await createTask(request.params.id, request.body as NewTask) });
});

app.post('/api/support-ticket/ticket/store', express.json(), async (request, response) => {
  response.status(201).json({ data: await createTicket(request.body as NewTicket) });
});

listenForParent(createServer(app));
