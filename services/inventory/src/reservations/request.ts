/** Requests and events of other services that affect all reservations of a document. */
import type { Emit } from '@suite/chassis/operations';
import { undoKeys } from '@suite/chassis/rpc';
import { InventoryServiceDefinition } from '@suite/proto/inventory/v1/inventory';
import type { Db } from '../operations.ts';
import type { MovementSource } from '../movements/movement.ts';
import type { RequestLine } from '../movements/request.ts';
import { endReservations, reservationsOf } from './reservation.ts';

/** Returns the subject of a document's reservation keys. */
export const subjectOf = ({ type, id }: MovementSource): string => `${type} ${id}`;

/** Releases the reservations of a document and reverses their idempotency keys. */
export async function releaseFor({ db, emit }: { db: Db; emit: Emit }, source: MovementSource): Promise<RequestLine[]> {
  await undoKeys(InventoryServiceDefinition.methods.reserve, subjectOf(source));
  return await endReservations({ db, emit }, reservationsOf(source), 'released');
}
