import { choice, input, ShortText, Url } from '@suite/chassis/fields';
import { z } from 'zod';
import { integration } from '../../connections/integrations/integration.schema.ts';

const Direction = choice('both', 'out', 'in').describe(
  '`out` writes tasks to the calendar and overwrites changes there. `in` only reads changes to known tasks.',
);

/** Calendar server of a user, as displayed. */
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

/** To-do list of a user. */
export const ToDoList = integration(
  ToDoListSettings,
  z.object({
    tasks: z.int().describe('Number of tasks in the calendar.'),
    refused: z.int().describe('Tasks that the server rejected.'),
  }),
).meta({ id: 'ToDoList' });

/** Connection to a calendar server. Omitted fields stay unchanged. */
export const ToDoListInput = input({
  server_url: Url.optional().meta({ example: 'https://dav.example.com' }),
  username: ShortText(200)
    .min(1)
    .regex(/^[^:]*$/, 'Enter a name without a colon.')
    .optional(),
  password: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Password for the server. Most servers offer a separate application password.'),
  calendar_url: Url.optional().describe('URL of the calendar. Required if the user has several task calendars.'),
  direction: Direction.optional().describe('Direction of the synchronisation. Defaults to `both`.'),
});
export type ToDoListInput = z.output<typeof ToDoListInput>;

export const ToDoListEnd = input({
  remove_remote: z
    .boolean()
    .default(false)
    .describe('Whether to delete the tasks from the calendar, shortly after the disconnection.'),
});
