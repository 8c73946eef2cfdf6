/** What a crash or an outage left open of reservations is brought to an end. */
import { sweeper } from '@suite/saga';
import { reserveGoods } from './reservation.ts';

const INTERVAL_MS = 5_000;

export const {
  findOpen,
  finish: settleReservations,
  schedule: settleOpenReservations,
} = sweeper('crm.settle-reservations', INTERVAL_MS, [reserveGoods]);
