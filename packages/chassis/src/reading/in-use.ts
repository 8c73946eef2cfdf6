/** Rejects deleting or changing a record in use, without revealing records that the caller may not see. */
import { asCallerForCounts } from '../database/running.ts';
import { type Fault, InUse } from '../runtime/fault.ts';

type Counts = Readonly<Record<string, number>>;
type Count<Held> = () => Promise<Held>;

/**
 * Returns the fault for a record in use. Its details count only the records that the caller may see, so that the fault
 * reveals only that the record is in use.
 * @param count counts the records of each kind. It is called with the visibility of the caller
 * @param detailsOf the details for these counts. Defaults to the counts
 */
export async function inUseFault<Held extends Counts>(
  count: Count<Held>,
  detailsOf: (seen: Held) => object = (seen) => seen,
): Promise<Fault> {
  return InUse(detailsOf(await asCallerForCounts(count)));
}

/**
 * Checks that no other record refers to a record, among all records of the workspace.
 * @param count counts the records of each kind that refer to it; `inUseFault` calls it again for the details
 * @param detailsOf the details of the fault, see `inUseFault`
 * @throws InUse with the number of records of each kind that the caller may see
 */
export async function assertUnused<Held extends Counts>(
  count: Count<Held>,
  detailsOf?: (seen: Held) => object,
): Promise<void> {
  if (Object.values(await count()).some((held) => held > 0)) throw await inUseFault(count, detailsOf);
}
