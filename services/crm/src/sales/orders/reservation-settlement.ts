/** Schedule that completes reservations left open by a crash or an outage. */
import { undoSchedule } from '@suite/saga';
import { reserveGoods } from './reservation.ts';

const INTERVAL_MS = 5_000;

export const {
  findOpen,
  finish: settleReservations,
  schedule: settleOpenReservations,
} = undoSchedule('crm.settle-reservations', INTERVAL_MS, [reserveGoods]);
