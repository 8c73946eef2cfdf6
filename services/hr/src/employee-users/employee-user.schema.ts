import { Email, foreignId, input, ShortText } from '@suite/chassis';
import { z } from 'zod';

export const UserChoice = z
  .union([
    z.literal('none'),
    input({ user_id: foreignId('platform.user') }),
    input({ create: input({ email: Email, role_key: ShortText(50).min(1) }) }),
  ])
  .describe('No login; a user who is there; or a new one, who is invited by e-mail once the employee is made.');

export type UserChoice = z.output<typeof UserChoice>;
