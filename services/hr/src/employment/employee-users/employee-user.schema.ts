import { Email, foreignId, input, ShortText } from '@suite/chassis/fields';
import { z } from 'zod';

export const UserChoice = z
  .union([
    z.literal('none'),
    input({ user_id: foreignId('platform.user') }),
    input({ create: input({ email: Email, role_key: ShortText(50).min(1) }) }),
  ])
  .describe('Login: none, an existing user, or a new user who is invited by e-mail after the employee is created.');

export type UserChoice = z.output<typeof UserChoice>;
