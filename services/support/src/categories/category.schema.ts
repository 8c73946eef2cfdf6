import { choice, Id, list, record } from '@suite/chassis';
import { z } from 'zod';

/** How soon a ticket wants an answer. */
export const Priority = choice('low', 'medium', 'high', 'urgent');

/** A subject that tickets, frequent questions and articles are sorted by. */
export const Category = record({
  name: z.string(),
  color: z.string(),
  default_assignee: Id.nullable().describe('Who is given its tickets.'),
  priority: Priority.nullable().describe('The priority of tickets whose requester says none.'),
}).meta({ id: 'SupportCategory' });

export const CategoryFilter = list(Category, { filter: ['name'], sort: ['name', 'created_at'], search: true });
