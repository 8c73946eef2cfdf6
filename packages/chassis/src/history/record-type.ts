/** Types of records that users know, for the history and the change feed. */
import type { z } from 'zod';
import type { Caller } from '../identity/identity.ts';
import { permissionsOf } from '../identity/permissions.ts';
import type { Condition } from '../visibility/condition.ts';
import { type Fault, Forbidden, invalid, ModuleDisabled } from '../runtime/fault.ts';

/** A type of records with a history. */
export interface RecordType {
  /** The name with its service: `crm.lead`. */
  name: string;
  table: string;
  /** The schema of a record in responses. The history shows its fields that are columns of the table. */
  schema: z.ZodObject;
  /** The permissions that open such records. One of them is enough. */
  permissions: readonly string[];
  /** The module of plans that contains such records. */
  module: string;
  /** The value of the column `kind`, for a table with records of several types. */
  kind?: string;
  /** Narrows the records for callers with a limited view, as in their list, see `paginate`. */
  narrowing?: Condition;
}

/** Declares the types of records of a service by their names: `recordTypes('crm', { lead: … })` declares `crm.lead`. */
export const recordTypes = (
  service: string,
  declared: Readonly<Record<string, Omit<RecordType, 'name'>>>,
): RecordType[] => Object.entries(declared).map(([noun, type]) => ({ ...type, name: `${service}.${noun}` }));

/** Returns why the caller may not view records of a type, or undefined: ModuleDisabled, or Forbidden with the missing permission. */
export function refusalOf({ module, permissions }: RecordType, caller: Caller): Fault | undefined {
  if (!caller.modules.includes(module)) return ModuleDisabled({ module });
  const may = permissionsOf(caller);
  return permissions.some((permission) => may.has(permission)) ? undefined : Forbidden({ permission: permissions[0] });
}

/**
 * Returns the type with this name, if the caller may view such records.
 * @throws a 422 that names `record_type` for an unknown type, or the fault of `refusalOf`
 */
export function viewableType(types: readonly RecordType[], name: string, caller: Caller): RecordType {
  const type = types.find((each) => each.name === name);
  if (!type) throw invalid('record_type', `Use one of these types: ${types.map((each) => each.name).join(', ')}.`);
  const refusal = refusalOf(type, caller);
  if (refusal) throw refusal;
  return type;
}
