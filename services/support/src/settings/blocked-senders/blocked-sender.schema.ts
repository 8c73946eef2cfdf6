import { input, record } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { blockedSenderActions } from './blocked-sender.rules.ts';

/** Sender whose e-mails are ignored. */
export const BlockedSender = record({
  sender: z.string().describe('E-mail address, or a domain with an `@`: `@example.com`.'),
  allowed_actions: Actions(blockedSenderActions),
}).meta({ id: 'BlockedSender' });

export const BlockedSenderFilter = list(BlockedSender, {
  filter: ['sender'],
  sort: ['created_at', 'sender'],
  search: true,
});

const MESSAGE = 'Enter an address (ada@example.com), or a domain with an @ (@example.com).';

export const BlockedSenderInput = input({
  sender: z
    .string()
    .max(254)
    .regex(/^[^\s@<>(),;:"\\]*@[^\s@<>(),;:"\\]+$/, MESSAGE)
    .transform((sender) => sender.toLowerCase()),
});
