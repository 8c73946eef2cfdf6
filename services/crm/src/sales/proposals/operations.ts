import { operations } from '@suite/chassis/operations';
import type { Db, Rpc } from '../../operations.ts';

/** Operations of proposals, which are a separate module. */
export const { query, command } = operations<Db, Rpc>({ module: 'proposals' });
