import { choice, input, ShortText, Url } from '@suite/chassis';
import { z } from 'zod';
import { integration } from '../integrations/integration.schema.ts';

const Direction = choice('both', 'out', 'in').describe(
  '`out` writes tasks to the calendar and overwrites changes there. `in` only reads changes of known tasks.',
);

/** The calendar server of a user, as it is shown. */
const ToDoListSettings = z
  .object({
    server_url: z.string(),
    username: z.string(),
    password: z.string().describe('Last four characters of the password.'),
    calendar_url: z.string(),
    calendar_name: z.string(),
    direction: Direction,
  })
  .meta({ id: 'ToDoListSettings' });
export type ToDoListSettings = z.output<typeof ToDoListSettings>;

/** The to-do list of a user. */
export const ToDoList = integration(
  ToDoListSettings,
  z.object({
    tasks: z.int().describe('Number of tasks in the calendar.'),
    refused: z.int().describe('The tasks that the server would not take.'),
  }),
).meta({ id: 'ToDoList' });

/** A connection to a calendar server. What is left out stays as it is. */
export const ToDoListInput = input({
  server_url: Url.optional().meta({ example: 'https://dav.example.com' }),
  username: ShortText(200)
    .min(1)
    .regex(/^[^:]*$/, 'A name has no colon.')
    .optional(),
  password: z.string().min(1).max(500).optional().describe('Most servers give one for an application.'),
  calendar_url: Url.optional().describe('Needed where the user has several calendars for tasks.'),
  direction: Direction.optional().describe('Direction of the synchronisation. Defaults to `both`.'),
});
export type ToDoListInput = z.output<typeof ToDoListInput>;

export const ToDoListEnd = input({
  remove_remote: z.boolean().default(false).describe('Whether the tasks are deleted there, a moment later.'),
});
