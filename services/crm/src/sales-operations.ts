import { operations } from '@suite/chassis/operations';
import type { Db, Rpc } from './operations.ts';

/** Operations of sales, which are a separate module. */
export const { query, command } = operations<Db, Rpc>({ module: 'sales' });
