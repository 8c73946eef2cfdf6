import { choice } from '@suite/chassis';
import { z } from 'zod';
import { integration } from '../integrations/integration.schema.ts';

/** The calendar server of a user, as it is shown. */
const ToDoListSettings = z
  .object({
    server_url: z.string(),
    username: z.string(),
    calendar_url: z.string(),
    direction: choice('both', 'out', 'in'),
  })
  .meta({ id: 'ToDoListSettings' });
export type ToDoListSettings = z.output<typeof ToDoListSettings>;

/** The to-do list of a user. */
export const ToDoList = integration(ToDoListSettings, z.object({})).meta({ id: 'ToDoList' });
