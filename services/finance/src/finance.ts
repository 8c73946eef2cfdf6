import { service } from '@suite/chassis';
import { PrismaClient } from './generated/client.ts';
import { calls } from './operations.ts';

/** The books: customers, vendors, invoices, banks, cash and the journal that all of it ends in. */
export const finance = service({
  name: 'finance',
  client: (adapter) => new PrismaClient({ adapter }),
  operations: {},
  calls,
});
