/** Actions on period locks. */
import { recordActions } from '@suite/chassis/operations';

export const periodLockActions = recordActions('period_lock', { update: 'ledger.lock', delete: 'ledger.lock' });
