/** Requests of other services, and their events, about all reservations of a document. */
import { type Emit, undoKeys } from '@suite/chassis';
import { InventoryServiceDefinition } from '@suite/proto/inventory/v1/inventory';
import type { Db } from '../operations.ts';
import type { Source } from '../movements/movement.ts';
import type { Line } from '../movements/request.ts';
import { endReservations, of } from './reservation.ts';

/** The subject under which the keys of a document's reservations are found. */
export const subjectOf = ({ type, id }: Source): string => `${type} ${id}`;

/** Ends what is set aside for a document, and undoes the keys that it was set aside under. */
export async function releaseFor({ db, emit }: { db: Db; emit: Emit }, source: Source): Promise<Line[]> {
  await undoKeys(InventoryServiceDefinition.methods.reserve, subjectOf(source));
  return await endReservations({ db, emit }, of(source), 'released');
}
