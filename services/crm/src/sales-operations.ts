import { operations } from '@suite/chassis';
import type { Db, Rpc } from './operations.ts';

/** The operations of sales, which are a module of the plan on their own. */
export const { query, command } = operations<Db, Rpc>({ module: 'sales' });
