/**
 * The baseline of trade: the work of finance and inventory, written by hand with express and pg, in one process over
 * both databases. It has no identity, permissions, schema or gRPC. It writes the same rows to the same tables.
 */
import { createServer } from 'node:http';
import express from 'express';
import { type Asked, draft } from './draft.ts';
import { createCustomer, showCustomer } from './customers.ts';
import { customers, invoices, products } from './lists.ts';
import { post } from './post.ts';
import { listenForParent } from '../load/child-process.ts';

const app = express().disable('etag').disable('x-powered-by').set('query parser', 'simple');

for (const [path, list] of Object.entries({
  '/api/sales-invoice': invoices,
  '/api/customers': customers,
  '/api/products': products,
})) {
  app.get(path, async (request, response) => {
    const { page = 1, per_page, cursor, sort } = request.query;
    if (sort !== '-created_at') return void response.status(422).json({ message: 'Sort by -created_at.' });
    const part = { page: Number(page), per_page: Number(per_page), cursor: cursor as string | undefined };
    response.json(await list(part));
  });
}

app.get('/api/v1/customers/:id', async (request, response) => {
  const data = await showCustomer(request.params.id);
  if (!data) return void response.status(404).json({ message: 'Customer not found.' });
  response.json({ data });
});

app.post('/api/customers/create', express.json(), async (request, response) => {
  response.status(201).json({ data: await createCustomer(request.body as { name: string }) });
});

app.post('/api/sales-invoice/create', express.json(), async (request, response) => {
  response.status(201).json({ data: await draft(request.body as Asked) });
});

app.post('/api/sales-invoice/post/:id', async (request, response) => {
  response.json({ data: await post(request.params.id) });
});

listenForParent(createServer(app));
