/** Actions on the accounting settings. */
import { recordActions } from '@suite/chassis/operations';

export const settingsActions = recordActions('accounting_settings', { update: 'ledger.lock' });
