/**
 * The bare stack: a first version with express and Prisma, for one company. It writes business rows only: no audit,
 * events, idempotency keys, workspace isolation, permissions or schemas. The bench compares the suite with it, behind
 * `proxy.ts`.
 */
import { createServer } from 'node:http';
import express from 'express';
import { listenForParent } from '../../bench/load/child-process.ts';
import {
  clockIn,
  createTask,
  createTicket,
  listTasks,
  listTickets,
  type NewTask,
  type NewTicket,
  showBoard,
} from './desk.ts';
import { type InvoiceRequest, draft, post } from './invoices.ts';
import { createCustomer, createLead, listCustomers, listLeads, showCustomer, showLead } from './records.ts';

const app = express().disable('etag').disable('x-powered-by').set('query parser', 'simple').use(express.json());

app.get('/customers', async (request, response) => {
  response.json(await listCustomers(request.query));
});
app.get('/customers/:id', async (request, response) => {
  response.json({ data: await showCustomer(request.params.id) });
});
app.post('/customers', async (request, response) => {
  response.status(201).json({ data: await createCustomer(request.body) });
});
app.get('/leads', async (request, response) => {
  response.json(await listLeads(request.query));
});
app.get('/leads/:id', async (request, response) => {
  response.json({ data: await showLead(request.params.id) });
});
app.post('/leads', async (request, response) => {
  response.status(201).json({ data: await createLead(request.body) });
});
app.post('/invoices', async (request, response) => {
  response.status(201).json({ data: await draft(request.body as InvoiceRequest) });
});
app.post('/invoices/:id/post', async (request, response) => {
  response.json({ data: await post(request.params.id) });
});
app.get('/projects/:id/tasks', async (request, response) => {
  response.json(await listTasks(request.params.id, request.query));
});
app.get('/projects/:id/board', async (request, response) => {
  response.json({ data: await showBoard(request.params.id, Number(request.query['per_column'] ?? 50)) });
});
app.post('/projects/:id/tasks', async (request, response) => {
  response.status(201).json({ data: await createTask(request.params.id, request.body as NewTask) });
});
app.get('/tickets', async (request, response) => {
  response.json(await listTickets(request.query));
});
app.post('/tickets', async (request, response) => {
  response.status(201).json({ data: await createTicket(request.body as NewTicket) });
});
app.post('/punches', async (request, response) => {
  response.status(201).json({ data: await clockIn(request.body.employee_id) });
});

listenForParent(createServer(app));
